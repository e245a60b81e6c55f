"""What is remembered when nobody says more, and what it would have let through."""

import pytest
from sqlalchemy.orm import Session

from signoff.asks.answers import similar_decisions
from signoff.asks.answers.similar_decisions import (
    Decided,
    Fate,
    past_decisions,
    past_of,
    read_past,
    suggested,
    suggested_of,
    ways,
)
from signoff.asks.models import Ask
from signoff.kit import clock
from signoff.kit.db.database import Database
from signoff.policy.risk import Risk
from signoff.workspaces import actions as workspaces
from tests.policy.trying import a_call

POST = {"channel": "#ops", "text": "All is well."}


def past(fate: Fate, risk: str = "high", **arguments: str) -> Decided:
    return Decided("ask", "title", "ada", fate, a_call(risk=risk, arguments=POST | arguments))


def test_the_choice_that_is_shown_as_suggested_is_the_one_that_is_kept_without_conditions() -> None:
    """What was refused of a higher risk would ask all the same: it is no objection in either."""
    call = a_call(arguments=POST)
    for refused, name in ((past("refused", text="No."), "exact"), (past("refused", "critical", text="No."), "alike")):
        shown = suggested_of(ways(call, [refused]))
        assert (shown.name, shown.pattern) == (name, suggested(call, [refused]))


def test_several_patterns_count_each_call_once_and_whatever_one_of_them_lets_through() -> None:
    patterns = [suggested(a_call(arguments=POST | {"channel": channel}), []) for channel in ("#ops", "#ops", "#all")]
    decided = [past("approved"), past("refused", channel="#all"), past("approved", channel="#x")]
    found = past_of(patterns, Risk.HIGH, decided)
    assert (found.approved, found.refused, found.objections) == (1, 1, [decided[1]])


@pytest.mark.both_databases
def test_what_is_refused_after_the_past_was_read_counts_and_the_rest_is_not_read_again(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(session: Session, workspace: str, id_: str, status: str) -> Ask:
        kept = a_call(arguments=POST, agent="a").to_json()
        about = {"workspace_id": workspace, "agent": "a", "tool": "tool", "kind": "approval", "run_title": "r"}
        settled = None if status == "pending" else clock.now()
        asked = Ask(id=id_, **about, status=status, title=id_, arguments=POST, proposed_call=kept, settled_at=settled)
        session.add(asked)
        return asked

    workspace = db.write(lambda s: workspaces.found(s, "w", "w@example.org", "w").workspace_id)
    db.write(lambda s: ask(s, workspace, "1", "approved") and ask(s, workspace, "3", "pending") and None)
    known = db.read(lambda s: read_past(s, s.get_one(Ask, "3")))
    db.write(lambda s: ask(s, workspace, "2", "denied") and None)
    # What was settled in the last minute is looked at twice; here nothing is that new but the refusal.
    monkeypatch.setattr(similar_decisions, "OVERLAP", known.at - known.at)
    found = db.read(lambda s: past_decisions(s, s.get_one(Ask, "3"), known))
    assert [(each.ask_id, each.fate) for each in found] == [("2", "refused"), ("1", "approved")]
    assert found[1] is known.decided[0]
