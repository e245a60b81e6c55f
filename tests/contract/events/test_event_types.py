"""Every event has the shape that its domain declares, and that the OpenAPI page shows."""

import pkgutil
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import signoff
from signoff.api.event_schemas import DECLARED, event_adapter
from signoff.channels.webhook.events import EVENTS, NOT_FOR_WEBHOOKS, USUAL
from signoff.kit.db.events import ACCESS_CHANGED, EventType
from tests.contract.ruling import look, put_rules, somebody
from tests.contract.scenes import DELIVERABLE, QUESTION, WRITE, agent_that, read_until, stream
from tests.house import House
from tests.wire import DONE, call, says

SOURCE = Path(signoff.__file__).parent
PROGRESS = call("report_progress", {"current_step": "one", "percentage": 10})
LIMITS = {"max_iterations": 5}


def everything(house: House) -> list[dict[str, Any]]:
    """The events of a workspace in which something of every kind happens."""
    replies = (says("Let me see.", PROGRESS, DELIVERABLE, WRITE), says("", QUESTION), *[says("", PROGRESS)] * 2, DONE)
    agent = agent_that(house, *replies, tools=("write_file",), limits=LIMITS)
    with stream(house, "/api/events") as events:
        put_rules(house)
        for enabled in (True, False):
            house.post("/api/pause-all", {"enabled": enabled})
        run = house.start(agent)
        ask = house.ask(run)
        assert house.client.post(f"/api/asks/{ask['id']}/viewing").status_code == 204
        house.post(f"/api/asks/{ask['id']}/assign", {"user": somebody(house).email})
        house.post(f"/api/runs/{run}/messages", {"text": "Go on."}, status=201)
        house.answer(look(house, ask))
        house.answer(house.ask(run), "respond", value="this one")
        house.ended(run)
        return read_until(events, "run.ended")


def test_every_kind_of_event_is_what_it_is_declared_to_be(house: House) -> None:
    seen = everything(house)
    for event in seen:
        shown = event_adapter().validate_python(event).model_dump(mode="json", exclude_unset=True)
        assert shown["data"] == event["data"], event
    # Only a server behind a connection says how far its calls have come, and only a workflow has steps:
    # tests/connections, tests/workflows.
    assert {event["type"] for event in seen} == {kind.name for kind in DECLARED} - {"call.progress", "run.step"}


def test_what_is_new_comes_with_what_a_notification_says(house: House) -> None:
    agent = agent_that(house, says("", WRITE), tools=("write_file",))
    with stream(house, "/api/events") as events:
        house.start(agent)
        new = read_until(events, "ask.created")[-1]["data"]["ask"]
    found = house.get(f"/api/asks/{new['id']}")
    names = ("id", "kind", "status", "title", "run_id", "tool", "agent", "estimated_cost_credits")
    assert {name: new[name] for name in names} == {name: found[name] for name in names}
    assert new["risk_level"] == found["risk"]["level"]


def test_every_type_that_is_declared_is_in_the_document() -> None:
    names = [each.name for each in pkgutil.walk_packages(signoff.__path__, "signoff.") if each.name.endswith(".events")]
    found = [each for name in names for each in vars(import_module(name)).values()]
    declared = {each.name for each in found if isinstance(each, EventType)}
    assert declared == {kind.name for kind in DECLARED} | {ACCESS_CHANGED.name}


def test_every_type_is_one_that_webhooks_get_or_one_that_they_are_not_to_get() -> None:
    assert sorted((*EVENTS, *NOT_FOR_WEBHOOKS)) == sorted(kind.name for kind in DECLARED)


def test_the_web_app_offers_every_event_of_a_webhook_and_ticks_the_usual_ones() -> None:
    page = SOURCE.parents[1] / "web/src/features/settings/channels/setup/WebhookEvents.tsx"
    usual, others = page.read_text().partition("interface")[0].split("const OTHERS")
    name = re.compile(r"\"([a-z_]+\.[a-z_]+)\"")
    assert tuple(name.findall(usual)) == USUAL
    assert sorted(name.findall(usual + others)) == sorted(EVENTS)


def test_nothing_is_emitted_by_a_name_alone() -> None:
    emits = re.compile(r"\b(?:emit|transient)\((?:[^,()]+,\s*){2}[\"']")
    found = [path.name for path in SOURCE.rglob("*.py") if emits.search(path.read_text())]
    assert found == []
