"""Any text survives or is cleaned, on both databases; never a crash."""

import json
from typing import Any

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.contract.scenes import QUESTION, agent_that, free_run, run_that, said_to_model, waiting
from tests.house import House
from tests.wire import call, says

pytestmark = pytest.mark.both_databases

EMOJI = "👩‍👩‍👧 café ‮ \u2028 \U0010ffff"
NUL = "a\x00b"
LONE = "a\ud800b"
STRANGE = pytest.mark.parametrize("text", [EMOJI, NUL, LONE], ids=["emoji", "nul", "lone"])


def send(house: House, verb: str, path: str, body: Any) -> httpx.Response:
    """As escapes, since a lone surrogate has no UTF-8."""
    return house.client.request(
        verb, path, content=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
    )


def taken(response: httpx.Response, status: int = 200) -> Any:
    assert response.status_code == status, response.text
    return response.json()


# PostgreSQL has no NUL in a text; escaped in JSON, or in a file, it stays. Half a character becomes a question mark.
KEPT = {EMOJI: EMOJI, NUL: "ab", LONE: "a?b"}
KEPT_IN_JSON = KEPT_IN_FILE = KEPT | {NUL: NUL}


@STRANGE
def test_a_task_and_its_input(house: House, text: str) -> None:
    agent = agent_that(house)
    body = {"agent": agent, "task": text, "title": text, "context": text, "input": {text: [text]}}
    run = taken(send(house, "POST", "/api/runs", body), 201)
    assert [run["task"], run["title"], run["context"]] == [KEPT[text]] * 3
    assert run["input"] == {KEPT_IN_JSON[text]: [KEPT_IN_JSON[text]]}
    assert house.ended(run["id"])["status"] == "completed"
    assert KEPT[text] in said_to_model(house, run["id"])


@STRANGE
def test_an_agents_words(house: House, text: str) -> None:
    agent = agent_that(house)
    body = {"title": text, "instructions": text, "tags": [text], "notifications": {text: text}}
    changed = taken(send(house, "PATCH", f"/api/agents/{agent}", body))
    assert (changed["title"], changed["instructions"], changed["tags"]) == (KEPT[text], KEPT[text], [KEPT[text]])
    assert changed["notifications"] == {KEPT_IN_JSON[text]: KEPT_IN_JSON[text]}
    assert len(house.get(f"/api/agents/{agent}/revisions")["items"]) == 2


@STRANGE
def test_a_message_to_a_run(house: House, text: str) -> None:
    run, ask = waiting(house)
    taken(send(house, "POST", f"/api/runs/{run}/messages", {"text": text}), 201)
    house.answer(ask)
    assert house.ended(run)["status"] == "completed"
    assert KEPT[text] in said_to_model(house, run)


@STRANGE
def test_an_answer_to_a_question(house: House, text: str) -> None:
    run, ask = waiting(house, QUESTION)
    body = {"decision": "respond", "value": text, "note": text}
    answered = taken(send(house, "POST", f"/api/asks/{ask['id']}/answer", body))
    assert answered["answer"]["value"] == KEPT_IN_JSON[text]
    assert house.ended(run)["status"] == "completed"
    assert KEPT[text] in said_to_model(house, run)


@STRANGE
def test_a_reason_to_refuse(house: House, text: str) -> None:
    run, ask = waiting(house)
    body = {"decision": "deny", "note": text}
    taken(send(house, "POST", f"/api/asks/{ask['id']}/answer", body))
    assert house.ended(run)["status"] == "completed"
    assert KEPT[text] in said_to_model(house, run)
    assert house.get("/api/audit/verify")["ok"]


@STRANGE
def test_edited_arguments_and_their_preview(house: House, text: str) -> None:
    run, ask = waiting(house)
    arguments = {"path": "a.txt", "content": text}
    taken(send(house, "POST", f"/api/asks/{ask['id']}/preview", {"arguments": arguments}))
    body = {"decision": "approve", "arguments": arguments}
    taken(send(house, "POST", f"/api/asks/{ask['id']}/answer", body))
    assert house.ended(run)["status"] == "completed"
    assert house.calls(run)[0]["arguments"]["content"] == KEPT_IN_JSON[text]


@STRANGE
def test_names_of_tokens_and_members(house: House, text: str) -> None:
    assert taken(send(house, "POST", "/api/tokens", {"name": text}), 201)["name"] == KEPT[text]
    body = {"email": f"{len(text)}-{ord(text[1])}@example.org", "name": text, "role": "viewer"}
    assert taken(send(house, "POST", "/api/members", body), 201)["name"] == KEPT[text]
    house.get("/api/tokens")
    house.get("/api/members")


@STRANGE
def test_what_the_model_says(house: House, text: str) -> None:
    run = free_run(house, says(text), says("", call("report_progress", {"current_step": text})))
    assert run["status"] == "completed"
    assert KEPT_IN_JSON[text] in [message["text"].strip() for message in house.messages(run["id"])]


@STRANGE
def test_what_the_model_writes_and_reads_again(house: House, text: str) -> None:
    write = call("write_file", {"path": "x.txt", "content": text})
    run = free_run(
        house, says("", write), says("", call("read_file", {"path": "x.txt"})), tools=("write_file", "read_file")
    )
    assert run["status"] == "completed"
    assert house.calls(run["id"])[1]["result"] == KEPT_IN_FILE[text]


@STRANGE
def test_what_the_model_hands_over(house: House, text: str) -> None:
    content = call("create_deliverable", {"name": "x.md", "type": "markdown", "content": text, "description": text})
    run = free_run(house, says("", content))
    assert run["status"] == "completed"
    (deliverable,) = house.get("/api/deliverables", run=run["id"])["items"]
    response = house.client.get(f"/api/deliverables/{deliverable['id']}/content")
    assert response.status_code == 200
    assert response.content.decode() == KEPT_IN_FILE[text]
    assert deliverable["size_bytes"] == len(response.content)


@STRANGE
def test_a_deliverables_or_a_files_name(house: House, text: str) -> None:
    run = free_run(
        house,
        says("", call("create_deliverable", {"name": text, "type": "markdown", "content": "x"})),
        says("", call("write_file", {"path": text, "content": "x"})),
        tools=("write_file",),
    )
    assert run["status"] == "completed"
    (made,) = [each for each in house.calls(run["id"]) if each["tool"] == "create_deliverable"]
    listed = house.get("/api/deliverables", run=run["id"])["items"]
    # A name that cannot be used goes back to the model; any other has its content and a place in the archive.
    assert len(listed) == (made["status"] == "succeeded")
    for each in listed:
        assert house.client.get(f"/api/deliverables/{each['id']}/content").status_code == 200
        assert house.client.get(f"/api/deliverables/{each['id']}/content?download=true").status_code == 200
    archive = house.client.get("/api/deliverables/download", params={"run": run["id"]})
    assert archive.status_code == (200 if listed else 404)


@STRANGE
def test_a_tools_name_and_a_calls_id(house: House, text: str) -> None:
    run = free_run(house, says("", call(text, {"x": text}, call_id=text)))
    assert run["status"] == "completed"


@STRANGE
def test_a_question_and_a_reasoning(house: House, text: str) -> None:
    question = {"question": text, "type": "blocking", "responseType": "text", "context": text, "_reasoning": text}
    run, ask = waiting(house, call("ask_question", question))
    assert ask["title"] == KEPT[text]
    house.answer(ask, "respond", value="fine")
    assert house.ended(run)["status"] == "completed"


@STRANGE
def test_the_end_of_a_run(house: House, text: str) -> None:
    run = free_run(house, says("", call("complete_task", {"summary": text, "output": {text: text}})))
    assert run["status"] == "completed"
    assert house.get(f"/api/runs/{run['id']}/activity")["items"]
    assert house.client.get("/api/audit/export").status_code == 200


@STRANGE
def test_signals_in_text(house: House, text: str) -> None:
    block = f"```workflow-signal\n{json.dumps({'type': 'complete', 'summary': text})}\n```"
    assert free_run(house, says(block))["status"] == "completed"


def test_signing_in(house: House) -> None:
    for text in (EMOJI, NUL, LONE):
        for body in ({"token": text}, {"email": text, "password": text}):
            response = send(house, "POST", "/api/auth/sign-in", body)
            assert response.status_code == 401, response.text


def test_a_strange_bearer(house: House) -> None:
    for token in (b"\xff\xfe", "ä".encode(), b"a b"):
        response = httpx.get(f"{house.url}/api/me", headers={"Authorization": b"Bearer " + token})
        assert response.status_code == 401


@pytest.mark.parametrize("words", ["Grüße an Zoë", 'say "hi"', "two\nlines", "100 %_sure"])
def test_the_search_finds_text_in_arguments(house: House, words: str) -> None:
    key = new_id()
    run = run_that(house, says("", call("write_file", {"path": f"{key}.txt", "content": f"Dear all, {words}! {key}"})))
    ask = house.ask(run)
    found = house.get(
        "/api/asks", status="pending", q=f"{words}! {key}".upper() if words.isascii() else words, limit=200
    )
    assert ask["id"] in [each["id"] for each in found["items"]]
    assert house.get("/api/asks", q=f"{words}? {key}")["items"] == []
