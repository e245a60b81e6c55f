"""Once an ask was edited, nobody signs it unseen: by whatever path an answer comes, it says what it is about."""

from typing import Any

import httpx
import pytest

from tests.contract.ruling import Person, look, people, ruled
from tests.contract.scenes import problem
from tests.house import House

TWO = {"require_approval_count": 2}
EDITED = {"path": "evil.txt", "content": "two"}


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def edited(house: House) -> tuple[dict[str, Any], Person]:
    """An ask as it was proposed, edited since, and somebody who has not looked again."""
    _, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    ann.answer(ask, arguments=EDITED).raise_for_status()
    return ask, bob


PATHS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "answer": ("POST", "/api/asks/{id}/answer", {"decision": "approve"}),
    "refusal": ("POST", "/api/asks/{id}/answer", {"decision": "deny", "note": "no"}),
    "response": ("POST", "/api/asks/{id}/answer", {"decision": "respond", "value": "do this instead"}),
    "approve": ("POST", "/api/approvals/{id}/approve", {}),
    "deny": ("POST", "/api/approvals/{id}/deny", {}),
    "checkpoint": ("PUT", "/api/checkpoints/{id}/approve", {"feedback": "ok"}),
    "checkpoint with changes": ("PUT", "/api/checkpoints/{id}/approve", {"modified_params": {"content": "3"}}),
    "rejection": ("PUT", "/api/checkpoints/{id}/reject", {"reason": "no"}),
}


def send(who: Person, path: str, ask: dict[str, Any], **more: Any) -> httpx.Response:
    method, place, body = PATHS[path]
    given = {"Authorization": f"Bearer {who.token}"}
    url = who.url + place.format(id=ask["id"])
    return httpx.request(method, url, headers=given, json={**body, **more}, timeout=30)


@pytest.mark.parametrize("path", PATHS)
def test_an_edited_ask_is_answered_only_by_who_says_what_they_saw(house: House, path: str) -> None:
    ask, bob = edited(house)
    now = look(house, ask)
    for missing in ({}, {"digest": ask["digest"]}):
        refused = problem(send(bob, path, ask, **missing), 409)
        assert refused["code"] == "ask_changed"
        assert (refused["state"]["digest"], refused["state"]["arguments"]) == (now["digest"], EDITED)
    assert look(house, ask)["status"] == "pending"
    assert send(bob, path, ask, digest=now["digest"]).status_code == 200


@pytest.mark.parametrize("path", ["/api/asks/batch", "/api/approvals/batch"])
def test_a_batch_answers_what_was_edited_only_with_its_digest(house: House, path: str) -> None:
    ask, bob = edited(house)
    ids = "ids" if path.startswith("/api/asks") else "approval_ids"
    body = {ids: [ask["id"]], "decision": "approve"}
    (blind,) = bob.post(path, body).json()["results"]
    assert "edited" in blind["error"]
    stale = bob.post(path, {**body, "digests": {ask["id"]: ask["digest"]}}).json()["results"]
    assert "changed" in stale[0]["error"]
    seen = bob.post(path, {**body, "digests": {ask["id"]: look(house, ask)["digest"]}}).json()["results"]
    assert seen[0]["status"] == "approved"


@pytest.mark.parametrize("path", ["/api/asks/batch", "/api/approvals/batch"])
def test_a_batch_with_digests_leaves_alone_what_has_none(house: House, path: str) -> None:
    (_, seen), (_, unseen) = ruled(house, "ask"), ruled(house, "ask")
    ids = "ids" if path.startswith("/api/asks") else "approval_ids"
    body = {ids: [seen["id"], unseen["id"]], "decision": "approve", "digests": {seen["id"]: seen["digest"]}}
    (ann,) = people(house, 1)
    done, left = ann.post(path, body).json()["results"]
    assert (done["status"], done["error"]) == ("approved", None)
    assert left["status"] == look(house, unseen)["status"] == "pending"
    assert "digest" in left["error"]


def test_what_nobody_edited_is_answered_as_before(house: House) -> None:
    _, ask = ruled(house, "ask")
    (ann,) = people(house, 1)
    assert ann.answer(ask).json()["status"] == "approved"
