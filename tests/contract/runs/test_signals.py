"""Signals in text, for models that call tools badly."""

import json
from typing import Any

import pytest

from tests.contract.scenes import free_run, requests_of
from tests.house import House
from tests.wire import says


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def block(**signal: Any) -> str:
    return f"```workflow-signal\n{json.dumps(signal, separators=(',', ':'))}\n```"


COMPLETE = block(type="complete", summary="all done", key_findings=["one"])


def test_a_progress_block_sets_the_progress(house: House) -> None:
    progress = block(type="progress", current_step="reading", completed_steps=["begin"], percentage=40)
    run = free_run(house, says(f"On it.\n{progress}\n"))
    assert run["progress"]["current_step"] == "reading"
    assert run["progress"]["completed_steps"] == ["begin"]
    assert run["progress"]["percentage"] == 40
    activity = house.get(f"/api/runs/{run['id']}/activity")["items"]
    assert "run.progress" in [event["type"] for event in activity]


def test_a_deliverable_block_hands_over(house: House) -> None:
    deliverable = block(type="deliverable", name="a.csv", deliverable_type="csv", content="a,b\n1,2\n")
    run = free_run(house, says(f"Here:\n{deliverable}"))
    (handed,) = house.get("/api/deliverables", run=run["id"])["items"]
    assert (handed["name"], handed["type"], handed["mime_type"]) == ("a.csv", "csv", "text/csv")
    assert house.client.get(f"/api/deliverables/{handed['id']}/content").text == "a,b\n1,2\n"


def test_a_complete_block_ends_the_run(house: House) -> None:
    run = free_run(house, says(f"Fine.\n{COMPLETE}"), says("never asked"))
    assert (run["status"], run["completion_reason"], run["iterations"]) == ("completed", "success", 1)
    assert run["output"]["summary"] == "all done"
    assert len(requests_of(house, run["id"])) == 1


def test_several_blocks_in_one_text_all_count(house: House) -> None:
    progress = block(type="progress", current_step="last")
    deliverable = block(type="deliverable", name="x.md", deliverable_type="markdown", content="x")
    run = free_run(house, says(f"{progress}\nand\n{deliverable}\nand\n{COMPLETE}"))
    assert (run["iterations"], run["progress"]["current_step"]) == (1, "last")
    assert house.get("/api/deliverables", run=run["id"])["total"] == 1


def test_a_signal_is_no_silence(house: House) -> None:
    progress = says(block(type="progress", current_step="on"))
    run = free_run(house, says("Hm."), says("Hm."), progress, says("Hm."), says("Hm."))
    assert run["iterations"] == 6


@pytest.mark.parametrize(
    "text",
    [
        "```workflow-signal\n{broken\n```",
        "```workflow-signal\n[]\n```",
        "```workflow-signal\n{}\n```",
        block(type="fly"),
        block(type="complete"),
        block(type="progress", current_step=5),
        block(type="deliverable", name="x"),
        "```workflow-signal\n" + "[" * 500 + "\n```",
        '```workflow-signal\n{"type": "complete", "summary": "x"',
    ],
)
def test_a_bad_block_is_no_crash_and_the_model_may_mend_it(house: House, text: str) -> None:
    run = free_run(house, says(text))
    assert run["status"] == "completed"


def test_a_block_over_a_megabyte_is_handed_over_exactly(house: House) -> None:
    content = "0123456789abcdef€" * 90_000
    run = free_run(house, says(block(type="deliverable", name="big.md", deliverable_type="markdown", content=content)))
    (handed,) = house.get("/api/deliverables", run=run["id"])["items"]
    assert house.client.get(f"/api/deliverables/{handed['id']}/content").text == content


def test_a_json_block_without_the_mark_is_just_text(house: House) -> None:
    run = free_run(house, says('```json\n{"type":"complete","summary":"x"}\n```'))
    assert run["output"]["summary"] == "done"
