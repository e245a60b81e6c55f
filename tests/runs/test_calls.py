"""A call moves through its machine alone, and a move that comes too late writes nothing."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

import signoff
from signoff.claims.actions import Claim
from signoff.kit.db.database import Database
from signoff.kit.db.driver import Driver
from signoff.runs import calls as moves
from signoff.runs.models import Call, Run
from signoff.runs.states import CALL, FINISHED, CallStatus
from tests.runs.builders import new_call, scene_in

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"])
S = CallStatus
SOURCE = Path(signoff.__file__).parent


def test_what_has_ended_never_moves_again_and_what_started_is_never_just_denied() -> None:
    assert {status for status in S if not CALL.moves[status]} == FINISHED
    assert not CALL.allows(S.STARTED, S.DENIED)
    assert CALL.sources(S.UNKNOWN) == [S.STARTED]
    assert CALL.sources(S.STARTED) == [S.APPROVED]


def test_what_a_run_leaves_open_gets_an_end_that_the_machine_allows() -> None:
    assert set(moves.GIVEN_UP) == set(S) - FINISHED - {S.UNKNOWN}
    assert all(CALL.allows(status, end) for status, end in moves.GIVEN_UP.items())


@ON_SQLITE
@pytest.mark.parametrize("status", S)
def test_each_move_begins_where_the_machine_says(db: Database, status: CallStatus) -> None:
    """Every move from every status, in one transaction: legal ones are stored, the others raise."""
    scene = scene_in(db)
    claim = Claim(scene.run_id, "worker", 1)
    tried: dict[CallStatus, Callable[[Session, Run, Call], Any]] = {
        S.APPROVED: lambda s, run, call: moves.approve_call(call),
        S.WAITING: lambda s, run, call: moves.wait_for_ask(call, "ask"),
        S.STARTED: lambda s, run, call: moves.mark_started(s, claim, run, call),
        S.UNKNOWN: lambda s, run, call: moves.mark_unknown(call, "ask"),
        **{to: lambda s, run, call, to=to: moves.finish_call(s, run, call, to) for to in FINISHED},
    }

    def work(session: Session) -> None:
        run = session.get_one(Run, scene.run_id)
        for position, (to, move) in enumerate(tried.items(), 100):
            call = new_call(run.id, status, position)
            moves.add_calls(session, [call])
            if CALL.allows(status, to):
                move(session, run, call)
                moves.save_calls(session, [call])
                assert session.get_one(Call, call.id).status == to.value
            else:
                with pytest.raises(moves.IllegalCallMove):
                    move(session, run, call)
                assert call.status == status.value

    db.write(work)


def test_of_two_who_move_the_same_call_the_second_writes_nothing(db: Database) -> None:
    scene = scene_in(db)
    first, second, other = scene.call("waiting"), scene.call("waiting"), scene.call("approved")
    moves.approve_call(first)
    db.write(lambda s: moves.save_calls(s, [first]))

    def late(session: Session) -> None:
        run = session.get_one(Run, scene.run_id)
        moves.finish_call(session, run, other, S.SUCCEEDED)
        moves.finish_call(session, run, second, S.DENIED, error="too late")
        moves.save_calls(session, [other, second])

    with pytest.raises(moves.CallMoved):
        db.write(late)
    assert (scene.calls()["waiting"], scene.calls()["approved"]) == ("approved", "approved")


@ON_SQLITE
def test_several_moves_in_one_transaction_are_one_statement_for_all_calls(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = scene_in(db)
    loaded = [scene.call("unknown"), scene.call("approved"), scene.call("waiting")]
    statements = list[str]()
    run_ = Driver.run
    monkeypatch.setattr(Driver, "run", lambda *given: (statements.append(given[1].strip()), run_(*given))[1])

    def work(session: Session) -> None:
        run = session.get_one(Run, scene.run_id)
        statements.clear()
        moves.approve_call(loaded[0])
        moves.mark_started(session, scene.claim, run, loaded[0])
        moves.wait_for_ask(loaded[1], "again")
        moves.approve_call(loaded[2])
        moves.save_calls(session, loaded)
        assert [each.split()[0] for each in statements] == ["UPDATE"]

    db.write(work)
    assert [scene.calls()[tool] for tool in ("unknown", "approved", "waiting")] == ["started", "waiting", "approved"]


def test_no_other_module_assigns_the_status_of_a_call() -> None:
    """What is assigned there belongs to something else than a call."""
    others = {"ask", "run", "deliverable", "self", "http_error"}
    found = {
        f"{path.relative_to(SOURCE)}: {ast.unparse(target)}"
        for path in SOURCE.rglob("*.py")
        # What is sent by channels, and a workflow's steps, have a status of their own.
        if path != SOURCE / "runs" / "calls.py" and not {"channels", "workflow"} & set(path.parts)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for targets in [node.targets if isinstance(node, ast.Assign) else [node.target]]
        for listed in targets
        for target in ast.walk(listed)
        if isinstance(target, ast.Attribute) and target.attr == "status" and ast.unparse(target.value) not in others
    }
    assert found == set()


def test_no_other_module_makes_or_updates_calls() -> None:
    """Neither by a statement of its own nor by a new row, but for a retry, which copies what has ended."""
    words = ("update(Call)", "update(CALLS", "update(_CALLS", " Call(", "insert(Call", "insert(_CALLS", "status=Call")
    allowed = {"runs/calls.py", "runs/models.py"}
    found = {
        f"{name}: {word}"
        for path in SOURCE.rglob("*.py")
        if (name := str(path.relative_to(SOURCE))) not in allowed
        for word in words
        if any(word in line and not line.startswith("class ") for line in path.read_text().splitlines())
    }
    assert found == {"runs/schemas.py: status=Call"}
