"""A rule that tells people by a channel that is not there says so, where it stands."""

import pytest

from signoff.policy.warnings.find import find_warnings
from signoff.policy.warnings.signers import People

HERE = ["Finance", "Mail", "email", "teams"]


def warned(action: str, rules: str = "checkpoints") -> list[tuple[int, int, str]]:
    inside = f"[{{name: a, trigger: {{tool: x}}, action: {action}}}]" if rules == "checkpoints" else action
    found = find_warnings(f"{rules}: {inside}\n", People([], {"finance": set()}), HERE)
    return [(each.line, each.column, each.message) for each in found if "sign" not in each.message]


@pytest.mark.parametrize("name", ["teams", "Finance", "MAIL", "email"])
def test_a_channel_is_known_by_name_or_kind(name: str) -> None:
    assert warned(f"{{notification: {{channels: [{name}], recipients: [boss@elsewhere.org]}}}}") == []


def test_a_channel_that_is_not_on_is_told_with_what_was_meant_or_comes_instead() -> None:
    [[line, column, message]] = warned("{notification: {channels: [email, teeams]}}")
    assert (line, column > 80, message) == (1, True, "no channel named `teeams` is on; did you mean `teams`?")
    [[_, _, message]] = warned("{auto_approve: true, notify: true, notification_channels: [pager]}")
    assert message == "no channel named `pager` is on; those whom it concerns get a mail instead"


def test_so_is_a_group_that_does_not_exist() -> None:
    [[_, _, message]] = warned("{notification: {recipients: ['group:finance', 'group:finanse']}}")
    assert message == "there is no group `finanse`; did you mean `finance`?"
