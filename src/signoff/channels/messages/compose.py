"""What a message says, made from the rows at the moment it is sent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import ALLOWED
from signoff.asks.effects.previews import in_lines
from signoff.asks.effects.veto import has_window, is_suspended
from signoff.asks.models import Ask
from signoff.asks.states import AskKind, AskStatus
from signoff.channels.deciding import needs_sign_in, standing
from signoff.channels.messages import words
from signoff.channels.messages.choices import offered
from signoff.channels.messages.run_facts import run_facts, run_links
from signoff.channels.models import Delivery
from signoff.channels.port import AskView, Decision, Fact, Link, Message
from signoff.kit import clock
from signoff.kit.jsons import JsonObject
from signoff.kit.text.time_words import in_words
from signoff.notifications.models import WANTS_ANSWER, NoticeKind, Notification
from signoff.runs.models import Run

VERBS = {
    AskKind.APPROVAL: "Approve",
    AskKind.PLAN: "Review the plan",
    AskKind.MILESTONE: "Review",
    AskKind.BUDGET: "More budget",
    AskKind.RECOVERY: "Something went wrong",
    AskKind.QUESTION: "Question",
    AskKind.CLARIFICATION: "Question",
}
PREFIXES = {NoticeKind.REMINDER.value: "Still waiting", NoticeKind.ESCALATION.value: "Escalated to you"}
ENDED = {
    NoticeKind.COMPLETED.value: "Completed",
    NoticeKind.FAILED.value: "Failed",
    NoticeKind.REJECTED.value: "Rejected",
    NoticeKind.CANCELLED.value: "Cancelled",
    NoticeKind.TIMEOUT.value: "Stopped at a limit",
    NoticeKind.EXPIRY.value: "Ended because nobody answered",
}
ORDER: tuple[Decision, ...] = ("approve", "deny", "respond")
MOST_CHOICES = 100


@dataclass(frozen=True)
class Links:
    """Where things are in the app."""

    base_url: str

    def ask(self, ask_id: str) -> str:
        return f"{self.base_url}/asks/{ask_id}"

    def run(self, run_id: str) -> str:
        return f"{self.base_url}/runs/{run_id}"

    def rule(self) -> str:
        return f"{self.base_url}/rules"

    def answer(self, token: str) -> str:
        return f"{self.base_url}/a/{token}"

    def stop(self, token: str) -> str:
        return f"{self.base_url}/a/stop/{token}"


def compose(session: Session, links: Links, delivery: Delivery, notification: Notification) -> Message:
    """The message of one notification: about an ask, the end of a run, or what somebody said."""
    ask = session.get(Ask, notification.ask_id) if notification.ask_id else None
    run = session.get(Run, notification.run_id) if notification.run_id else None
    if ask is not None and notification.kind in WANTS_ANSWER:
        message = _about_ask(session, links, delivery, notification, ask)
    elif notification.kind in ENDED and run is not None:
        message = _about_end(session, links, delivery, notification, run)
    elif notification.kind == NoticeKind.AUTO_APPROVED.value:
        message = _about_auto_approval(links, delivery, notification, run)
    else:
        message = _plain(links, delivery, notification, ask)
    return replace(message, urgent=delivery.urgent, thread=notification.run_id)


def gathered(delivery: Delivery, links: Links, items: Sequence[Message]) -> Message:
    """Many messages as one."""
    asks = sum(1 for each in items if each.ask is not None)
    what = f"{asks} asks wait for you" if asks == len(items) else f"{len(items)} things to look at"
    return Message(
        id=delivery.id,
        kind="digest",
        title=what,
        text="They came at once, so they are gathered here.",
        open_url=f"{links.base_url}/inbox",
        items=tuple(items),
    )


def _about_ask(session: Session, links: Links, delivery: Delivery, notice: Notification, ask: Ask) -> Message:
    settled = ask.status != AskStatus.PENDING.value
    verb = PREFIXES.get(notice.kind) or VERBS[AskKind(ask.kind)]
    facts = [Fact("Agent", words.title(ask.agent_name or ask.agent)), Fact("Run", words.title(ask.run_title))]
    if ask.test:
        facts.append(Fact("Test", "What is approved is not really done"))
    if ask.risk_level:
        facts.append(Fact("Risk", ask.risk_level))
    impact = (ask.impact or {}).get("text")
    if impact:
        facts.append(Fact("Impact", words.title(impact)))
    if ask.confidence is not None:
        facts.append(Fact("Confidence", f"{ask.confidence:.0%}"))
    if ask.estimated_cost_credits:
        facts.append(Fact("Cost", f"{ask.estimated_cost_credits:g} credits"))
    if ask.approvals_required > 1:
        signed = sum(1 for each in ask.signatures if each["decision"] == "approve")
        facts.append(Fact("Signatures", f"{signed} of {ask.approvals_required}"))
    if (ask.impact or {}).get("reversible"):
        facts.append(Fact("Undo", "Can be undone afterwards"))
    if ask.veto is not None and has_window(ask):
        facts.append(Fact("Runs by itself", _veto(ask, ask.veto)))
    elif ask.deadline:
        minutes = max(round((ask.deadline - clock.now()).total_seconds() / 60), 0)
        facts.append(Fact("Answer until", f"{ask.deadline:%Y-%m-%d %H:%M} UTC (in {minutes} min)"))
    return Message(
        id=delivery.id,
        kind=notice.kind,
        title=f"{verb}: {words.title(ask.title)}",
        text=words.shown(ask.description),
        facts=tuple(facts),
        detail=words.shown(ask.reasoning or ask.context or ""),
        risk=ask.risk_level,
        ask=view_of(ask),
        open_url=links.ask(ask.id),
        outcome=standing(session, ask) if settled else None,
    )


def _veto(ask: Ask, veto: JsonObject) -> str:
    if is_suspended(ask):
        return f"Not now: its time is suspended, with {in_words(round(veto['left']))} left to object"
    if ask.deadline is None:
        return f"{in_words(veto['seconds'])} after this reached someone who may object"
    minutes = max(round((ask.deadline - clock.now()).total_seconds() / 60), 0)
    return f"{ask.deadline:%Y-%m-%d %H:%M} UTC (in {minutes} min), unless someone objects"


def view_of(ask: Ask) -> AskView:
    """What can be done about an ask outside the app."""
    kind, settled = AskKind(ask.kind), ask.status != AskStatus.PENDING.value
    apart = needs_sign_in(ask)
    allowed = frozenset[Decision]() if settled or apart else ALLOWED[kind]
    given = words.arguments(ask.arguments) if ask.arguments else []
    told = words.is_whole(ask.arguments, given) if ask.arguments else words.are_whole(ask.title, ask.description)
    changes = "\n".join(in_lines(ask.preview, ask.arguments))
    if changes:
        given.append(("Changes", words.shown(changes)))
        told = told and words.shown(changes) == changes.strip()
    if not told or kind is AskKind.PLAN:
        # A button signs what the message shows: what does not stand there in full is decided where it does.
        allowed -= {"approve"}
    decisions: tuple[Decision, ...] = tuple(each for each in ORDER if each in allowed)
    return AskView(
        id=ask.id,
        kind=ask.kind,
        digest=ask.digest,
        decisions=decisions,
        needs_sign_in=apart,
        tool=ask.tool,
        arguments=tuple(Fact(*each) for each in given),
        editable="approve" in decisions and kind is AskKind.APPROVAL and ask.arguments is not None and not ask.call_ids,
        response_type=(ask.response_type or "text") if "respond" in decisions else None,
        choices=tuple(choice for choice, _ in offered(ask)[:MOST_CHOICES]),
    )


def _about_end(session: Session, links: Links, delivery: Delivery, notice: Notification, run: Run) -> Message:
    said = notice.text.partition("\n")[2]
    return Message(
        id=delivery.id,
        kind=notice.kind,
        title=f"{ENDED[notice.kind]}: {words.title(run.title)}",
        text=words.shown(said or run.summary or ""),
        facts=run_facts(session, run, said if notice.kind == NoticeKind.REJECTED.value else ""),
        open_url=links.run(run.id),
        links=run_links(links.run(run.id), notice.kind),
    )


def _about_auto_approval(links: Links, delivery: Delivery, notice: Notification, run: Run | None) -> Message:
    """Why it was let through, and where to switch that off."""
    given = notice.facts or {}
    facts = [Fact("Rule", words.title(str(given.get("rule", ""))))]
    if run is not None:
        facts += [Fact("Run", words.title(run.title)), Fact("Run id", run.id)]
    for label, name in (("Tool", "tool"), ("Operation", "operation_type"), ("Risk", "risk")):
        if given.get(name):
            facts.append(Fact(label, words.title(str(given[name]))))
    if given.get("confidence") is not None:
        facts.append(Fact("Confidence", f"{given['confidence']:.0%}"))
    reasons = "\n".join(f"• {words.title(str(each))}" for each in given.get("reasons", []))
    off = Link("Switch this rule off", f"{links.rule()}?rule={quote(str(given.get('rule', '')), safe='')}")
    return Message(
        id=delivery.id,
        kind=notice.kind,
        title=words.title(notice.text),
        text=f"Approved automatically: nothing to do.\n{reasons}".strip(),
        facts=tuple(facts),
        open_url=links.run(run.id) if run is not None else links.rule(),
        links=(off,),
    )


def _plain(links: Links, delivery: Delivery, notice: Notification, ask: Ask | None) -> Message:
    first, _, rest = notice.text.partition("\n")
    place = links.ask(ask.id) if ask else links.run(notice.run_id) if notice.run_id else f"{links.base_url}/notices"
    return Message(id=delivery.id, kind=notice.kind, title=words.title(first), text=words.shown(rest), open_url=place)
