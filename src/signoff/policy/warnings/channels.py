"""Whether a rule tells people by channels that are there, and tells groups that exist. Pure."""

from collections.abc import Iterator, Sequence

from signoff.policy.format.rule_actions import ActionSpec
from signoff.policy.problems import closest
from signoff.policy.warnings.signers import People, Steps

INSTEAD = "those whom it concerns get a mail instead"


def channel_problem(name: str, there: Sequence[str]) -> str | None:
    """Why a message cannot go by this name, given the names and kinds of the channels that are on."""
    if name.lower() in (each.lower() for each in there):
        return None
    meant = closest(name, there)
    hint = f"did you mean `{meant}`?" if meant else INSTEAD
    return f"no channel named `{name}` is on; {hint}"


def notification_problems(action: ActionSpec, people: People, there: Sequence[str]) -> Iterator[tuple[Steps, str]]:
    """Where in its action a rule names channels or groups that reach nobody."""
    named = action.notification.channels if action.notification else ()
    places: list[tuple[Steps, tuple[str, ...]]] = [(("notification", "channels"), named)]
    places.append((("notification_channels",), action.notification_channels))
    for steps, names in places:
        for at, name in enumerate(names):
            if problem := channel_problem(name, there):
                yield (*steps, at), problem
    recipients = action.notification.recipients if action.notification else ()
    for at, name in enumerate(recipients):
        if problem := people.missing_group(name):
            yield ("notification", "recipients", at), problem
