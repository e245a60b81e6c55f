"""The workflows that ship with the product run offline, from the form's example to the end."""

import os
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from signoff.catalog import agent_files
from signoff.kit.settings import Settings
from signoff.workflows.ready.install import AGENTS, FOLDER, WORKFLOWS
from tests.house import House
from tests.wire import Model


@pytest.fixture
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A house at its first start, with the demo."""
    data = tmp_path_factory.mktemp("ready") / "data"
    with House(Settings(data=data, token="ready-admin-token-0123456789abcdef"), Model()) as house:
        yield house


def example(house: House, slug: str) -> dict[str, Any]:
    """What the form holds at first."""
    fields = house.get(f"/api/workflows/{slug}")["definition"]["input_schema"]["properties"]
    return {name: field["examples"][0] for name, field in fields.items()}


def started(house: House, slug: str, **changes: Any) -> str:
    given = example(house, slug) | changes
    return house.post(f"/api/workflows/{slug}/execute", {"input": given}, 201)["id"]


def steps_of(house: House, run_id: str) -> dict[str, dict[str, Any]]:
    return {step["id"]: step for step in house.get(f"/api/runs/{run_id}/steps")["items"]}


def test_every_file_is_installed_deployed_and_without_a_problem_or_a_warning(ready: House):
    listed = {each["slug"]: each for each in ready.get("/api/workflows")["items"]}
    assert set(listed) == set(WORKFLOWS) == {file.stem for file in FOLDER.glob("*.yaml")}
    named = set[str]()
    for slug, each in listed.items():
        text = (FOLDER / f"{slug}.yaml").read_text()
        assert (each["yaml"], each["deployed_version"], each["draft"]) == (text, 1, False)
        assert each["description"]
        assert ready.post("/api/workflows/validate", {"yaml": text}) == {"ok": True, "errors": [], "warnings": []}
        named |= {step["agent"] for step in each["definition"]["steps"] if "agent" in step}
        for field in each["definition"]["input_schema"]["properties"].values():
            assert field["title"]
            assert field["examples"]
    assert named == {file.stem for file in AGENTS.glob("*.yaml")}


def test_the_agents_stay_out_of_the_gallery_and_can_be_used_by_themselves(ready: House):
    gallery = {each["slug"] for each in ready.get("/api/agents", limit=200)["items"] if each["persona"]}
    for file in AGENTS.glob("*.yaml"):
        agent = agent_files.read(file)
        assert agent.slug not in gallery
        run = ready.ended(ready.start(agent.slug, agent.example_tasks[0]))
        assert run["status"] == "completed", (agent.slug, run["error"])


def test_ticket_triage_hands_the_seeds_data_from_agent_to_agent(ready: House):
    run = ready.ended(started(ready, "ticket-triage"))
    assert run["status"] == "completed", run["error"]
    assert run["progress"]["message"] == "3 of 3 steps"
    steps = steps_of(ready, run["id"])
    analyzed = steps["analyze"]["output"]
    assert analyzed == {
        "ticket_id": "CS-1234",
        "customer_id": "CUST-5678",
        "category": "billing",
        "priority": 3,
        "tags": ["billing", "refund", "urgent"],
        "sentiment": "frustrated",
        "confidence": 0.87,
        "extracted_entities": {
            "order_id": "12345",
            "amount": 99.99,
            "currency": "USD",
            "product_ids": [101, 102],
            "mentioned_dates": ["2025-11-15", "2025-11-18"],
        },
        "raw_text": example(ready, "ticket-triage")["ticket"],
    }
    assert steps["customer"]["input"] == {"customer_id": "CUST-5678", "ticket_context": analyzed}
    assert steps["solve"]["input"] == {"ticket": analyzed, "customer_360": steps["customer"]["output"]["customer_360"]}
    assert run["output"]["customer_360"]["profile"]["name"] == "John Doe"
    assert run["output"]["solution"]["recommendation"] == "Process refund"


def test_the_refund_that_a_person_lowers_is_the_one_in_the_letter(ready: House):
    run_id = started(ready, "customer-refund")
    checkpoint = ready.ask(run_id)
    assert checkpoint["title"] == "Is this refund right?"
    assert checkpoint["arguments"]["amount"] == 99.99
    assert checkpoint["risk"]["reasons"] == ["The workflow has a checkpoint here."]
    ready.answer(checkpoint, arguments=checkpoint["arguments"] | {"amount": "a lot"}, status=422)
    ready.answer(checkpoint, arguments=checkpoint["arguments"] | {"amount": 89.99})
    send = ready.until(lambda: steps_of(ready, run_id)["send"]["run_id"])
    sending = ready.ask(send)
    assert "your refund of $89.99 for order #12345" in sending["arguments"]["text"]
    ready.answer(sending)
    run = ready.ended(run_id)
    assert run["status"] == "completed", run["error"]
    assert run["output"]["subject"] == "Refund Confirmation - Order #12345"
    messages = [each for each in ready.get("/api/notifications")["items"] if each["kind"] == "message"]
    assert any("$89.99" in str(each) for each in messages)


def test_a_refund_that_is_rejected_ends_there_and_nobody_is_written_to(ready: House):
    run_id = started(ready, "customer-refund", reason="I changed my mind.", order_total=200)
    checkpoint = ready.ask(run_id)
    assert checkpoint["arguments"]["amount"] == 180
    ready.answer(checkpoint, "deny", note="Refund amount exceeds policy limit")
    run = ready.ended(run_id)
    assert (run["status"], run["completion_reason"]) == ("cancelled", "rejected")
    assert "Refund amount exceeds policy limit" in run["error"]["message"]
    steps = steps_of(ready, run_id)
    assert ready.run(steps["calculate"]["run_id"])["output"]["amount"] == 180
    assert steps["letter"]["run_id"] is steps["send"]["run_id"] is None


def test_the_monthly_report_has_a_section_for_each_team_in_their_order(ready: House):
    run_id = started(ready, "monthly-report")
    run = ready.ended(run_id)
    assert run["status"] == "completed", run["error"]
    steps = steps_of(ready, run_id)
    assert [each["heading"] for each in run["output"]["sections"]] == ["Support", "Sales", "Logistics"]
    assert len(steps["sections"]["runs"]) == 3
    assert "closed 398 of 412: 14 more are open than before. Two days without chat." in str(run["output"]["sections"])
    [report] = ready.get(f"/api/runs/{run_id}/deliverables")["items"]
    assert (report["name"], report["run_id"]) == ("monthly-report.md", steps["report"]["run_id"])
    assert ready.get("/api/deliverables", run=run_id)["items"] == [report]
    assert ready.get("/api/deliverables", run=steps["sections"]["runs"][0]["run_id"])["items"] == []
    zipped = ready.client.get("/api/deliverables/download", params={"run": run_id})
    with zipfile.ZipFile(BytesIO(zipped.raise_for_status().content)) as archive:
        assert archive.namelist() == ["monthly-report.md"]


def test_a_support_case_starts_the_refund_with_what_the_triage_found(ready: House):
    run_id = started(ready, "support-case")
    refund = ready.until(lambda: steps_of(ready, run_id)["refund"]["run_id"])
    checkpoint = ready.ask(refund)
    assert checkpoint["id"] in [each["id"] for each in ready.get("/api/checkpoints", run=run_id)["items"]]
    given = ready.run(refund)["input"]
    assert (given["customer_name"], given["order_id"], given["order_total"]) == ("John Doe", "12345", 99.99)
    ready.answer(checkpoint)
    ready.answer(ready.ask(ready.until(lambda: steps_of(ready, refund)["send"]["run_id"])))
    run = ready.ended(run_id)
    assert run["status"] == "completed", run["error"]


def test_a_support_case_without_a_refund_ends_with_the_recommendation(ready: House):
    run = ready.ended(started(ready, "support-case", ticket="IT-77: my VPN does not connect since this morning."))
    assert run["status"] == "completed", run["error"]
    assert {step["id"]: step["status"] for step in run["steps"]} == {"triage": "succeeded", "refund": "skipped"}
    assert run["output"]["solution"]["action"] == "fix"


def test_a_new_workspace_has_them_too(ready: House):
    made = ready.post("/api/workspaces", {"name": "Second"}, 201)
    listed = ready.client_for(made["token"]).get("/api/workflows").json()["items"]
    assert {each["slug"] for each in listed} == set(WORKFLOWS)


def test_what_was_changed_stays_what_was_deleted_does_not_come_back_and_what_is_new_comes(tmp_path: Path):
    settings = Settings(data=tmp_path / "data", token="ready-admin-token-0123456789abcdef")
    with House(settings, Model()) as house:
        text = house.get("/api/workflows/ticket-triage")["yaml"].replace("IT ticket triage", "Ours")
        assert house.client.put("/api/workflows/ticket-triage", json={"yaml": text}).status_code == 200
        assert house.client.delete("/api/workflows/monthly-report").status_code == 204
        assert house.client.delete("/api/agents/report-writer").status_code == 204
        assert house.client.patch("/api/agents/refund-letter", json={"name": "Letters"}).status_code == 200
    with House(settings, Model()) as house:
        listed = {each["slug"]: each["name"] for each in house.get("/api/workflows")["items"]}
        assert listed == {
            "customer-refund": "Customer refund",
            "support-case": "Support case",
            "ticket-triage": "Ours",
        }
        assert house.client.get("/api/agents/report-writer").status_code == 404
        assert house.get("/api/agents/refund-letter")["name"] == "Letters"


def test_a_workspace_from_before_gets_them_at_the_next_start(tmp_path: Path):
    empty = Settings(data=tmp_path / "data", token="ready-admin-token-0123456789abcdef", demo=False)
    with House(empty, Model()) as house:
        assert house.get("/api/workflows")["items"] == []
        house.agent("report-writer", "demo:assistant")
    with House(empty.model_copy(update={"demo": True}), Model()) as house:
        assert {each["slug"] for each in house.get("/api/workflows")["items"]} == set(WORKFLOWS)
        assert house.get("/api/agents/report-writer")["model"] == "demo:assistant"


def test_the_wheel_has_every_file_of_them(tmp_path: Path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    environment = os.environ | {"SIGNOFF_SKIP_WEB": "1"}
    subprocess.run(build, cwd=Path(__file__).parents[2], env=environment, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    names = {Path(name).name for name in zipfile.ZipFile(wheel).namelist() if "workflows/ready/" in name}
    assert {file.name for file in FOLDER.rglob("*.yaml")} <= names
