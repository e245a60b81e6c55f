"""Rules that the record speaks for: what people approved again and again, as a change to accept or to dismiss."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.answers.similar_decisions import COLUMNS, IS_DECIDED, Decided, decisions_of, suggested
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.insights.insert_rule import difference, with_rule
from signoff.insights.learn import Learnt, learn
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.jsons import JsonObject
from signoff.policy.compiled import Policy, compile_policy
from signoff.policy.evaluate import Allow, Autonomy, Stance, evaluate
from signoff.policy.impact import impact_words
from signoff.policy.patterns.pattern import BadPattern, Pattern
from signoff.policy.problems import BadRules
from signoff.policy.risk import Risk
from signoff.policy.yaml.read import read_rules
from signoff.rules import queries as rules
from signoff.rules.actions import proposal_key
from signoff.rules.models import RuleProposal

LOOKED_AT = 5_000
# Every call of these agents asks, but for what a rule approves.
ASKED = Stance(Autonomy.APPROVE_ALL)


@dataclass(frozen=True)
class RuleSuggestion:
    """A rule to add, and the numbers behind it."""

    id: str
    name: str
    agent: str
    tool: str
    approved: int
    decided: int
    edited: int
    # Of the decisions that were looked at: how many asks the rule would have saved, and how many that people refused it
    # would have let through.
    saved: int
    let_through: int
    looked_at: int
    conditions: list[str]
    proposed_by: str | None
    text: str
    rule: JsonObject
    yaml: str
    diff: str


@dataclass(frozen=True)
class SuggestedRule:
    """A rule as it would stand in the file, and how the decisions within it went."""

    name: str
    agent: str
    tool: str
    learnt: Learnt

    @property
    def rule(self) -> JsonObject:
        """No wider than what people approved: this agent, this tool, these risks, this impact, these arguments."""
        kept = self.learnt.pattern.to_json()
        where = {"data_threshold": kept["where"]} if kept["where"] else {}
        conditions = {
            "tool": self.tool,
            "agent": self.agent,
            "risk_level": [level.value for level in Risk if level in self.learnt.risks],
            "impact": list(self.learnt.impact),
            "arguments": kept["arguments"],
            **where,
        }
        action = {"auto_approve": True, "log_decision": True}
        return {"name": self.name, "enabled": True, "conditions": conditions, "action": action}


def suggestions(session: Session, actor: Actor) -> list[RuleSuggestion]:
    """Proposed by a person, or approved often enough; not what the rules allow already or what was dismissed."""
    noted = {each.key: each for each in rules.proposals(session, actor)}
    text = rules.current(session, actor).yaml
    found = list[RuleSuggestion]()
    taken = {rule.name for _, rule in read_rules(text, stored=True).rules()}
    for (agent, tool), decided in still_asked(_decisions(session, actor), _in_force(text), clock.now()).items():
        note = noted.get(proposal_key(agent, tool))
        if note is not None and note.state == "dismissed":
            continue
        made = suggested_rule(agent, tool, decided, taken) or (_proposed(note, decided, taken) if note else None)
        if made is not None:
            found.append(_suggestion(text, made, decided, note))
    return sorted(found, key=lambda each: (each.proposed_by is None, -each.saved))


def still_asked(decided: Iterable[Decided], policy: Policy, at: datetime) -> dict[tuple[str, str], list[Decided]]:
    """Decisions by agent and tool, without those that the rules would take by themselves today."""
    found = defaultdict[tuple[str, str], list[Decided]](list)
    for each in decided:
        if not isinstance(evaluate(each.call, ASKED, policy, at), Allow):
            found[each.call.agent or "", each.call.tool].append(each)
    return found


def suggested_rule(agent: str, tool: str, decided: Sequence[Decided], taken: set[str]) -> SuggestedRule | None:
    """The rule with the most evidence; accepted, it makes room for the next."""
    made = (SuggestedRule(_name(agent, tool, taken), agent, tool, learnt) for learnt in learn(decided))
    return next(filter(_can_be_written, made), None)


def _can_be_written(made: SuggestedRule) -> bool:
    """Whether the rules would be read again with it; a value may hold letters that no file of rules takes."""
    try:
        read_rules(with_suggestion("", made))
    except BadRules:
        return False
    return True


def with_suggestion(text: str, made: SuggestedRule) -> str:
    return with_rule(text, made.rule)


def simulated(made: SuggestedRule, decided: Sequence[Decided], at: datetime) -> tuple[int, int]:
    """How many asks the rule would have saved, and how many of them people had refused or changed in what it binds."""
    policy = compile_policy(read_rules(with_suggestion("", made)))
    passed = [each for each in decided if isinstance(evaluate(each.call, ASKED, policy, at), Allow)]
    return len(passed), sum(each.fate == "refused" for each in passed)


def _in_force(text: str) -> Policy:
    return compile_policy(read_rules(text, stored=True))


def _decisions(session: Session, actor: Actor) -> Iterator[Decided]:
    query = select(*COLUMNS).where(
        Ask.workspace_id == actor.workspace_id,
        Ask.kind == AskKind.APPROVAL.value,
        IS_DECIDED,
        Ask.tool.is_not(None),
        # A rule wants these decided by people.
        Ask.rule.is_(None),
        # What people let pass in a test says nothing about what they would let happen.
        Ask.test.is_(False),
    )
    for row in session.execute(query.order_by(Ask.id.desc()).limit(LOOKED_AT)):
        yield from decisions_of(row)


def _name(agent: str, tool: str, taken: set[str]) -> str:
    name = f"Auto-approve {tool} by {agent}"
    return next(each for number in range(1, len(taken) + 2) if (each := _numbered(name, number)) not in taken)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} ({number})"


def _proposed(note: RuleProposal, decided: Sequence[Decided], taken: set[str]) -> SuggestedRule | None:
    """What a person proposed without enough evidence for it: calls like the one that they had before them."""
    seen = next((each for each in decided if each.ask_id == note.ask_id and each.fate != "refused"), None)
    if seen is None:
        return None
    arguments = seen.call.arguments if seen.approved is None else seen.approved
    try:
        past = [each for each in decided if each is not seen]
        pattern = suggested(replace(seen.call, arguments=arguments), past).as_rule()
    except BadPattern:
        return None
    if pattern is None:
        return None
    learnt = _evidence(pattern, seen, decided)
    made = SuggestedRule(_name(note.agent, note.tool, taken), note.agent, note.tool, learnt)
    return made if _can_be_written(made) else None


def _evidence(pattern: Pattern, seen: Decided, decided: Sequence[Decided]) -> Learnt:
    inside = [each for each in decided if pattern.holds(each.call)]
    approved = sum(each.fate == "approved" for each in inside)
    risk = frozenset({seen.call.assessment.level})
    return Learnt(pattern, risk, approved, len(inside) - approved, impact_words(seen.call.assessment.impact))


def _suggestion(
    text: str, made: SuggestedRule, decided: Sequence[Decided], note: RuleProposal | None
) -> RuleSuggestion:
    after = with_suggestion(text, made)
    saved, refused = simulated(made, decided, clock.now())
    learnt = made.learnt
    return RuleSuggestion(
        id=proposal_key(made.agent, made.tool),
        name=made.name,
        agent=made.agent,
        tool=made.tool,
        approved=learnt.approved,
        decided=learnt.decided,
        edited=learnt.edited,
        saved=saved,
        let_through=refused,
        looked_at=len(decided),
        conditions=learnt.pattern.conditions(),
        proposed_by=note.by if note else None,
        text=_words(learnt, len(decided), refused),
        rule=made.rule,
        yaml=after,
        diff=difference(text, after),
    )


def _words(learnt: Learnt, looked_at: int, refused: int) -> str:
    times = f"Approved {learnt.approved} of {learnt.decided} times"
    past = f"Of the last {looked_at:,} decisions it would have saved {learnt.decided:,}"
    return f"{times}. {past} and let {refused or 'none'} through that people denied."
