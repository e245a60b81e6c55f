"""The conversation that a model reads follows from the rows, however they come."""

from signoff.engine.model import history
from signoff.engine.model.history import CLEARED, History, shortened
from signoff.runs.models import Call, Message


def said(turn: int | None, text: str) -> Message:
    return Message(id=text, role="user", turn=turn, text=text)


def replied(turn: int) -> Message:
    return Message(id=f"reply {turn}", role="assistant", turn=turn, response={"parts": [f"reply {turn}"]})


def called(turn: int, position: int = 0, status: str = "succeeded", result: str = "found") -> Call:
    return Call(
        tool="look",
        tool_call_id=f"{turn}.{position}",
        turn=turn,
        position=position,
        status=status,
        result=result,
        proposed_arguments={},
    )


def read(rows: list[Message], calls: list[Call] | None = None) -> list[tuple[int, list[str], list[str]]]:
    turns = History().follow(rows, calls or [], []).turns
    return [(turn.number, turn.before, [result.tool_call_id for result in turn.results]) for turn in turns]


def test_words_stand_before_the_reply_that_read_them_also_if_their_row_lies_behind_it() -> None:
    right = [(1, ["the task"], []), (2, ["stop at ten"], [])]
    assert read([said(1, "the task"), replied(1), said(2, "stop at ten"), replied(2)]) == right
    assert read([replied(1), said(1, "the task"), replied(2), said(2, "stop at ten")]) == right
    assert read([replied(2), said(2, "stop at ten"), said(1, "the task"), replied(1)]) == right


def test_words_that_nobody_read_yet_come_last_and_are_read_once() -> None:
    kept, late = History(), said(None, "one more thing")
    rows = [said(1, "the task"), replied(1), late]
    assert kept.follow(rows, [], []).since == ["one more thing"]
    late.turn = 2
    rows.append(replied(2))
    whole = kept.follow(rows, [], [])
    assert (whole.since, [turn.before for turn in whole.turns]) == ([], [["the task"], ["one more thing"]])


def test_results_stand_in_the_order_of_their_calls_whichever_ended_first() -> None:
    kept, slow, fast = History(), called(1, 0, "approved"), called(1, 1)
    rows, calls = [said(1, "the task"), replied(1)], [slow, fast]
    kept.follow(rows, calls, [])
    slow.status = "succeeded"
    [turn] = kept.follow(rows, calls, []).turns
    assert [result.tool_call_id for result in turn.results] == ["1.0", "1.1"]


def test_steps_of_plans_and_signals_have_no_result_of_their_own() -> None:
    step, signal = called(1), called(1, 1)
    step.tool_call_id, signal.tool_call_id = f"{history.PLANNED}1", f"{history.SIGNAL}x"
    assert read([said(1, "the task"), replied(1)], [step, signal]) == [(1, ["the task"], [])]


def test_old_results_are_cleared_in_a_long_conversation_and_made_ready_anew() -> None:
    kept = History()
    rows = [row for number in range(1, 13) for row in (said(number, f"{number}"), replied(number))]
    calls = [called(number, result="x" * 50_000) for number in range(1, 12)]
    short = kept.follow(rows[:6], calls[:2], [])
    short.turns[1].cached["m"] = ["ready"]
    turns = kept.follow(rows, calls, []).turns
    shown = [result.text == CLEARED for turn in turns for result in turn.results]
    assert shown == [True] * (11 - history.KEEP_RESULTS) + [False] * history.KEEP_RESULTS
    # The results of a turn travel with the next one.
    assert turns[1].cached == {}


def test_for_a_model_that_is_full_nearly_all_is_cleared_until_nothing_is_left() -> None:
    rows = [row for number in range(1, 6) for row in (said(number, f"{number}"), replied(number))]
    whole = History().follow(rows, [called(number) for number in range(1, 6)], [])
    less = shortened(whole)
    assert less is not None
    assert [result.text for turn in less.turns for result in turn.results] == [CLEARED] * 3 + ["found"] * 2
    assert [result.text for turn in whole.turns for result in turn.results] == ["found"] * 5
    assert shortened(less) is None
