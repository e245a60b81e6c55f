"""Which allowances a judge gets to see, and that giving one twice makes one."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.kit import clock
from signoff.kit.actor import Actor, Role
from signoff.kit.db.database import Database
from signoff.policy.patterns.derive import choices
from signoff.policy.patterns.pattern import Pattern
from signoff.rules import actions, queries
from signoff.rules.models import Allowance
from signoff.workspaces import actions as workspaces

NOW = clock.now()
PATTERN = choices({"channel": "#ops"})[0].pattern
OTHER = choices({"channel": "#sales"})[0].pattern


def add(session: Session, workspace: str, id_: str, **fields: Any) -> None:
    given = {"agent": "a", "tool": "post", "risk_level": "high", "ask_id": "q", "created_by": "ann"} | fields
    session.add(Allowance(id=id_, workspace_id=workspace, pattern=PATTERN.to_json(), **given))


@pytest.mark.both_databases
def test_those_that_ended_do_not_crowd_out_one_that_holds_and_none_is_worded_in_vain(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(session: Session) -> None:
        workspace = workspaces.found(session, "w", "ann@example.org", "Ann").workspace_id
        add(session, workspace, "0", expires_at=NOW + timedelta(hours=1))
        for n in range(queries.MOST_ALLOWANCES):
            add(session, workspace, f"1-{n}", expires_at=NOW)
        session.flush()
        worded = list[Pattern]()
        monkeypatch.setattr(Pattern, "conditions", lambda pattern: worded.append(pattern) or ["channel is #ops"])
        (found,) = queries.allowed(session, workspace, "a", None, "post", NOW)
        assert (found.id, worded) == ("0", [])
        assert found.words().endswith(": channel is #ops")

    db.write(look)


def test_what_is_allowed_once_more_is_one_allowance_with_the_later_end(db: Database) -> None:
    def give(session: Session) -> None:
        workspace = workspaces.found(session, "w", "ann@example.org", "Ann").workspace_id

        def allow(who: str, hours: int, pattern: Pattern = PATTERN, risk: str = "high") -> Allowance:
            until = clock.now() + timedelta(hours=hours)
            what = {"agent": "a", "run_id": None, "tool": "post", "risk_level": risk, "ask_id": who}
            return actions.remember(session, Actor(workspace, Role.ADMIN, who), pattern, **what, expires_at=until)

        first = allow("ann", 2)
        end = first.expires_at
        assert allow("bob", 1) is first
        assert (first.created_by, first.expires_at) == ("ann", end)
        assert allow("cleo", 3) is first
        assert (first.created_by, first.ask_id) == ("cleo", "cleo")
        assert [end, first.expires_at] == sorted({end, first.expires_at})
        assert allow("ann", 2, OTHER) is not first
        assert allow("ann", 2, risk="low") is not first
        assert len(session.scalars(select(Allowance)).all()) == 3
        first.revoked_at = clock.now()
        session.flush()
        assert allow("ann", 1) is not first

    db.write(give)
