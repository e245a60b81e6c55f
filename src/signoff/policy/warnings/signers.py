"""Whether the people of a workspace can give the signatures that a rule wants. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from signoff.kit.actor import Role
from signoff.policy.format.rule_actions import ActionSpec, StageSpec
from signoff.policy.format.rule_file import CheckpointRule
from signoff.policy.problems import closest

Steps = tuple[str | int, ...]
MOST_NAMED = 3
# Beyond it, whether the stages have people enough is only counted.
MOST_MATCHED = 60


@dataclass(frozen=True)
class Person:
    """A member, as far as signing goes."""

    email: str
    user_id: str
    role: Role
    # Nobody decides anything before they accepted.
    accepted: bool = True
    # `SIGNOFF_TOKEN` may decide alone, but is no person: it is never one of several signatures.
    is_token: bool = False
    name: str = ""

    @property
    def may_sign(self) -> bool:
        return self.accepted and self.role.includes(Role.MEMBER)


class People:
    """Everybody of a workspace, by the names that rules use."""

    def __init__(self, people: Iterable[Person], groups: dict[str, set[str]]) -> None:
        self._people = tuple(people)
        self._named = {name: each for each in self._people for name in (each.email, each.user_id)}
        # Name → user ids.
        self._groups = groups

    def signers(self, names: Iterable[str], or_role: Role) -> frozenset[Person]:
        """Who of these may sign; nobody named means everybody of a role."""
        named = set(names)
        if not named:
            return self._in_role(or_role)
        return frozenset(person for name in named for person in self._meant(name) if person.may_sign)

    def problem(self, name: str) -> str | None:
        """Why this name brings nobody who may sign."""
        if missing := self.missing_group(name):
            return missing
        kind, _, rest = name.partition(":")
        if any(person.may_sign for person in self._meant(name)):
            return None
        if kind == "group":
            return f"nobody in the group `{rest}` can sign"
        if kind == "role":
            return f"nobody here with the role {rest} can sign"
        return self._problem_of(name)

    def missing_group(self, name: str) -> str | None:
        """That a group is named which does not exist."""
        kind, _, rest = name.partition(":")
        if kind != "group" or rest in self._groups:
            return None
        meant = closest(rest, self._groups)
        return f"there is no group `{rest}`" + (f"; did you mean `{meant}`?" if meant else "; make it in Settings")

    def _problem_of(self, name: str) -> str:
        person = self._find(name)
        if person is None:
            meant = closest(name, [each.email for each in self._people if each.may_sign]) if "@" in name else None
            return f"`{name}` is not a member, so cannot sign" + (f"; did you mean `{meant}`?" if meant else "")
        if not person.accepted:
            return f"`{name}` has not accepted the invitation yet, so cannot sign"
        return f"`{name}` is only a {person.role.value}, so cannot sign"

    def _meant(self, name: str) -> Iterable[Person]:
        kind, _, rest = name.partition(":")
        if kind == "role":
            return self._in_role(Role(rest))
        if kind == "group":
            return [self._named[each] for each in self._groups.get(rest, ()) if each in self._named]
        person = self._find(name)
        return [person] if person else []

    def _find(self, name: str) -> Person | None:
        return self._named.get(name) or self._named.get(name.lower())

    def _in_role(self, role: Role) -> frozenset[Person]:
        return frozenset(each for each in self._people if each.may_sign and each.role.includes(role))


def signer_problems(rule: CheckpointRule, people: People) -> Iterator[tuple[Steps, str]]:
    """Where in its action a rule wants what these people cannot give, and why."""
    action, kinds = rule.action, set(rule.trigger.ask_kind)
    or_role = Role.MEMBER if kinds == {"question"} else Role.APPROVER
    yield from _unknown(("approvers",), action.approvers, people)
    for number, stage in enumerate(action.stages):
        yield from _unknown(("stages", number, "approvers"), stage.approvers, people)
    for number, step in enumerate(action.escalation):
        # Others may be told as well; a group that does not exist reaches nobody.
        groups = [(at, name) for at, name in enumerate(step.escalate_to) if name.startswith("group:")]
        for at, name in groups if step.enabled else ():
            if problem := people.problem(name):
                yield ("escalation", number, "escalate_to", at), problem
    yield from _stages(action, people) if action.stages else _together(action, people, or_role)


def too_few(approvers: tuple[str, ...], count: int, people: People) -> Iterator[tuple[Steps, str]]:
    """The same for so many signatures of these, or of everybody who may approve."""
    yield from _unknown(("approvers",), approvers, people)
    action = ActionSpec.model_construct(approvers=approvers, require_approval_count=count)
    yield from _together(action, people, Role.APPROVER)


def _unknown(steps: Steps, names: tuple[str, ...], people: People) -> Iterator[tuple[Steps, str]]:
    for at, name in enumerate(names):
        if problem := people.problem(name):
            yield (*steps, at), problem


def _together(action: ActionSpec, people: People, or_role: Role) -> Iterator[tuple[Steps, str]]:
    count = action.require_approval_count or 1
    own = people.signers(action.approvers, or_role)
    can = own | _escalated(action, people)
    if count > 1 or action.four_eyes:
        can = _persons(can)
    # Who is named and cannot sign has been told of already.
    if len(can) < count and (can or not action.approvers):
        yield ("require_approval_count",), f"{_wanted(count)}, but {_only(can)}"
    elif action.four_eyes and len(can) == count and can:
        yield ("four_eyes",), _own_work(can)


def _stages(action: ActionSpec, people: People) -> Iterator[tuple[Steps, str]]:
    later = _escalated(action, people)
    rounds = [_persons(people.signers(stage.approvers, Role.APPROVER) | later) for stage in action.stages]
    short = False
    for number, (stage, can) in enumerate(zip(action.stages, rounds, strict=True)):
        if len(can) < stage.count:
            short = True
        if can and len(can) < stage.count:
            yield ("stages", number), f"{_stage(stage, number)} needs {_signatures(stage.count)}, but {_only(can)}"
    if short:
        return
    wanted, everybody = sum(stage.count for stage in action.stages), frozenset[Person]().union(*rounds)
    if not _enough(action.stages, rounds):
        yield ("stages",), f"the stages together need {wanted} different people, but {_only(everybody)}"
    elif action.four_eyes and wanted == len(everybody):
        yield ("four_eyes",), _own_work(everybody)


def _escalated(action: ActionSpec, people: People) -> frozenset[Person]:
    """Those who are told on the way may sign from then on."""
    names = [name for step in action.chain for name in step.escalate_to]
    return people.signers(names, Role.APPROVER) if names else frozenset()


def _enough(stages: tuple[StageSpec, ...], rounds: list[frozenset[Person]]) -> bool:
    """Whether every signature of every stage can come from another person."""
    slots = [can for stage, can in zip(stages, rounds, strict=True) for _ in range(stage.count)]
    if len(slots) > MOST_MATCHED:
        return len(slots) <= len(frozenset[Person]().union(*rounds))
    signs = dict[Person, int]()

    def place(slot: int, tried: set[Person]) -> bool:
        for person in slots[slot] - tried:
            tried.add(person)
            if person not in signs or place(signs[person], tried):
                signs[person] = slot
                return True
        return False

    return all(place(slot, set()) for slot in range(len(slots)))


def _persons(can: frozenset[Person]) -> frozenset[Person]:
    return frozenset(each for each in can if not each.is_token)


def _wanted(count: int) -> str:
    return f"this needs {_signatures(count)}"


def _signatures(count: int) -> str:
    return "a signature" if count == 1 else f"{count} signatures"


def _stage(stage: StageSpec, number: int) -> str:
    return f"stage `{stage.name}`" if stage.name else f"stage {number + 1}"


def _only(can: frozenset[Person]) -> str:
    if not can:
        return "nobody here can sign"
    return f"only {_names(can)} can sign"


def _own_work(can: frozenset[Person]) -> str:
    what = "they" if len(can) > 1 else "that person"
    return f"with four_eyes nobody signs their own work: only {_names(can)} can sign, so not what {what} started"


def _names(can: frozenset[Person]) -> str:
    if len(can) > MOST_NAMED:
        return f"{len(can)} people"
    names = {each.name or each.email for each in can}
    # Two of one name go by their addresses.
    return " and ".join(sorted(names if len(names) == len(can) else {each.email for each in can}))
