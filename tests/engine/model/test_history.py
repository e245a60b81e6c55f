"""The conversation that a model reads follows from the rows, however they come."""

from hypothesis import given
from hypothesis import strategies as st

from signoff.engine.model import history
from signoff.engine.model.compaction import references
from signoff.engine.model.history import Conversation, History
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


def compacted(turn: int, cleared: int, summarized: int = 0, summary: str | None = None, budget: int = 2000) -> Message:
    stored = {"cleared": cleared, "summarized": summarized, "budget": budget}
    return Message(id=f"compaction {turn}", role="compaction", turn=turn, compaction=stored, text=summary)


def long_run(turns: int, size: int) -> tuple[list[Message], list[Call]]:
    rows = [row for number in range(1, turns + 1) for row in (said(number, f"word {number}"), replied(number))]
    return rows, [called(number, result="x" * size) for number in range(1, turns + 1)]


def shown(conversation: Conversation) -> list[str]:
    return [result.text for turn in conversation.turns for result in turn.results]


def test_a_huge_result_is_cut_and_says_how_to_read_on() -> None:
    rows, calls = long_run(1, 4_500_000)
    [text] = shown(History().follow(rows, calls, [], 8_000))
    assert len(text) < 4_000
    assert 'read_result {"call": "1.1", "offset": 3000}' in text
    assert "4,500,000 characters" in text


def test_the_results_of_one_reply_share_their_room() -> None:
    parts = [{"part_kind": "tool-call", "args": {}}] * 20
    rows = [said(1, "the task"), Message(id="r", role="assistant", turn=1, response={"parts": parts})]
    kept = History()
    texts = shown(kept.follow(rows, [called(1, place, result="x" * 90_000) for place in range(20)], [], 40_000))
    assert all(text.startswith("x" * 1_500) for text in texts)
    assert kept.size < 40_000 // 3


def test_old_results_give_way_first_and_far_more_than_needed_so_that_the_beginning_stays_the_same() -> None:
    kept, (rows, calls) = History(), long_run(12, 3_000)
    kept.follow(rows, calls, [], 10_000)
    needed = kept.needed(0)
    assert needed is not None
    assert (needed.summarized, needed.budget) == (0, 10_000)
    rows.append(compacted(13, needed.cleared, budget=10_000))
    texts = shown(kept.follow(rows, calls, [], 10_000))
    gone = [text.startswith("[The result of call") for text in texts]
    assert gone == [number < needed.cleared for number in range(1, 13)]
    assert "call 1.1 (look, 3,000 characters)" in texts[0]
    assert kept.needed(0) is None
    assert kept.size <= 5_000


def test_what_a_shortening_leaves_as_it_was_stays_ready_for_its_model() -> None:
    kept, (rows, calls) = History(), long_run(12, 3_000)
    for cleared in (4, 8):
        for turn in kept.follow(rows, calls, [], 10_000).turns:
            turn.cached["model"] = [turn.number]
        rows.append(compacted(13, cleared, budget=10_000))
        ready = [turn.number for turn in kept.follow(rows, calls, [], 10_000).turns if turn.cached]
        # Before a reply stand the results of the turn before it.
        changed = range(2, 5) if cleared == 4 else range(5, 9)
        assert ready == [number for number in range(1, 13) if number not in changed]
    rows.append(compacted(13, 8, 10, "I looked around.", 10_000))
    assert [bool(turn.cached) for turn in kept.follow(rows, calls, [], 10_000).turns] == [False, True, True]


def test_when_results_are_not_enough_whole_turns_give_way_to_a_summary_and_people_keep_their_words() -> None:
    kept, (rows, _) = History(), long_run(40, 0)
    for row in rows[1::2]:
        row.response = {"parts": ["y" * 900]}
    calls = [called(number) for number in range(1, 41)]
    kept.follow(rows, calls, [], 10_000)
    needed = kept.needed(0)
    assert needed is not None
    assert 1 < needed.summarized < 40
    rows.append(compacted(41, needed.cleared, needed.summarized, "I looked around.", 10_000))
    whole = kept.follow(rows, calls, [], 10_000)
    assert whole.turns[0].number == needed.summarized
    assert [len(turn.results) for turn in whole.turns] == [1] * len(whole.turns)
    assert whole.opening[:2] == ["word 1", "word 2"]
    assert whole.opening[-1].endswith("I looked around.")
    assert kept.needed(0) is None


@given(
    st.lists(st.tuples(st.integers(0, 9_000), st.integers(0, 3_000)), min_size=1, max_size=30),
    st.integers(1_000, 9_000),
)
def test_another_worker_builds_the_same_from_the_rows_alone(sizes: list[tuple[int, int]], budget: int) -> None:
    kept, rows, calls = History(), list[Message](), list[Call]()
    for number, (result, reply) in enumerate(sizes, 1):
        whole = kept.follow(rows, calls, [], budget)
        while (needed := kept.needed(50)) is not None:
            rows.append(compacted(number, needed.cleared, needed.summarized, f"summary {number}", needed.budget))
            whole = kept.follow(rows, calls, [], budget)
        if number % 7 == 0 and (harder := kept.harder(50)) is not None:
            rows.append(compacted(number, harder.cleared, harder.summarized, f"less {number}", harder.budget))
            whole = kept.follow(rows, calls, [], budget)
        assert History().follow(rows, calls, [], budget) == whole
        answer = Message(id=f"r{number}", role="assistant", turn=number, response={"parts": ["z" * reply]})
        rows += [said(number, f"word {number} " * 20), answer]
        calls.append(called(number, result="ä" * result))
    fresh = History()
    assert fresh.follow(rows, calls, [], budget) == kept.follow(rows, calls, [], budget)
    assert fresh.size == kept.size


def test_for_a_model_that_is_full_half_of_it_goes_until_nothing_is_left() -> None:
    kept, (rows, calls) = History(), long_run(5, 3_000)
    kept.follow(rows, calls, [])
    tries = 0
    while (harder := kept.harder(0)) is not None and tries < 20:
        rows.append(compacted(6, harder.cleared, harder.summarized, "", harder.budget))
        before = kept.size
        kept.follow(rows, calls, [])
        assert kept.size <= before
        tries += 1
    assert tries > 1
    assert History().harder(0) is None


def test_a_number_names_a_call_and_nothing_else_does() -> None:
    assert references.call_place(references.call_number(12, 0)) == (12, 0)
    assert [references.call_place(text) for text in ("12", "0.1", "1.0", "a.b", "1.1.1", "-1.1", "")] == [None] * 7
