"""What calls would change, in the terminal."""

from typing import Any

from signoff.cli.terminal.effect_text import effect_text, preview_text


def shown(kind: str, **detail: Any) -> str:
    return "\n".join(preview_text({"kind": kind, "summary": "It changes something", "detail": detail}, whole=False))


def test_a_mail_is_shown_as_its_reader_sees_it_with_those_outside_marked() -> None:
    to = [{"address": "ana@house.example", "outside": False}, {"address": "eve@away.example", "outside": True}]
    text = shown("mail", to=to, cc=[], reply_to=None, subject="Hi", body="Dear all")
    assert "To: ana@house.example, eve@away.example (outside of the workspace)" in text
    assert "Dear all" in text
    assert "Cc" not in text


def test_rows_are_shown_with_what_becomes_of_them() -> None:
    rows = {"columns": ["id", "state"], "rows": [[1, "open"], [2, "open"]]}
    statement = "UPDATE orders SET state = 'sent'"
    text = shown("rows", statement=statement, **rows, changed=["state"], after=[["sent"], ["sent"]])
    assert statement in text
    assert "id 1, state open → state sent" in text
    gone = shown("rows", statement="DELETE FROM orders", **rows, changed=[], after=[])
    assert "id 2, state open" in gone
    assert "→" not in gone


def test_what_a_tool_of_somebodys_own_leaves_out_breaks_nothing() -> None:
    for kind in ("mail", "rows", "fields", "diff", "request", "text"):
        assert "It changes something" in shown(kind)
    assert "To: ana@house.example" in shown("mail", to=["ana@house.example"])


def test_a_suspended_veto_window_says_so_instead_of_a_time() -> None:
    veto = {"seconds": 600, "left": 360, "reached_at": "2026-01-01T10:00:00Z"}
    (suspended,) = effect_text({"veto": veto | {"suspended": True}, "runs_at": None}, whole=True)
    assert "is suspended" in suspended
    assert "6m will be left" in suspended
