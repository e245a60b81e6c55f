"""A day's work over the wires of two providers: searched, looked up, asked of data, drawn, and handed over."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from signoff.kit.settings import Settings
from tests.aimock.server import Aimock, aimock
from tests.house import House
from tests.tools.web.conftest import Site
from tests.wire import Model

SALES = b"region,amount\nNorth,345\nSouth,450\n"
SOURCE = "https://trade.example/desks"
REPORT = f"# Desks\n\nSouth leads with 450 [1], as the market does [2].\n\n[1] plan.md, Goals\n[2] {SOURCE}\n"
BARS = {"mark": "bar", "encoding": {"x": {"field": "region"}, "y": {"field": "amount", "type": "quantitative"}}}
TURNS: tuple[list[tuple[str, dict[str, Any]]], ...] = (
    [("web_search", {"query": "desks market"}), ("search_knowledge", {"query": "goals south"})],
    [("query_data", {"sql": "SELECT region, amount FROM 'input/sales.csv' ORDER BY amount DESC"})],
    [("make_chart", {"name": "regions", "spec": BARS, "data_path": "input/sales.csv"})],
    [
        ("create_deliverable", {"name": "Report", "type": "markdown", "content": REPORT}),
        ("create_deliverable", {"name": "Regions", "type": "image", "path": "regions.svg"}),
    ],
    [("complete_task", {"summary": "South leads."})],
)


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def server() -> Iterator[Aimock]:
    with aimock() as server:
        yield server


@pytest.fixture
def house(settings: Settings, server: Aimock, site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    for name in ("ANTHROPIC", "OPENAI"):
        monkeypatch.setenv(f"{name}_API_KEY", "a-key")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    with House(settings.model_copy(update={"searxng_url": site.url}), Model()) as house:
        yield house


@pytest.mark.parametrize("model", ["anthropic:claude-sonnet-5", "openai-chat:gpt-5-mini"])
def test_a_run_hands_over_a_report_with_sources_and_a_chart(
    model: str, house: House, server: Aimock, site: Site
) -> None:
    site.page("/search", {"results": [{"title": "Desks", "url": SOURCE, "content": "The south buys most."}]})
    # By what the request says is left: not every wire has one message for one reply.
    server.answer(*(({"userMessage": f"Left: {500 - turn} turns"}, _reply(calls)) for turn, calls in enumerate(TURNS)))
    house.client.post("/api/documents", files={"files": ("plan.md", b"# Goals\n\nWin the south.")}).raise_for_status()
    given = house.client.post("/api/files", files={"files": ("sales.csv", SALES)}).json()["items"][0]["id"]
    tools = ("web_search", "search_knowledge", "query_data", "make_chart")
    run = house.start(house.agent("analyst", model, *tools), files=[given])
    ask = house.ask(run)
    assert (ask["tool"], ask["impact"]["kinds"]) == ("make_chart", ["stays_in_folder"])
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    bodies = [body for _, body in server.received()]
    assert all(body["stream"] for body in bodies)
    # What was found is what the model was told.
    for turn, words in ((1, SOURCE), (1, "plan.md"), (2, "450"), (3, "regions.svg")):
        assert words in json.dumps(bodies[turn]["messages"])
    report, chart = sorted(
        house.get("/api/deliverables", run=run)["items"], key=lambda each: each["type"], reverse=True
    )
    assert house.client.get(f"/api/deliverables/{report['id']}/content").text == REPORT
    assert chart["mime_type"] == "image/svg+xml"
    assert "South" in house.client.get(f"/api/deliverables/{chart['id']}/content").text


def _reply(calls: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    made = [
        {"name": name, "arguments": json.dumps(given), "id": f"call_{place}_{name}"}
        for place, (name, given) in enumerate(calls)
    ]
    return {"content": "Going on.", "toolCalls": made}
