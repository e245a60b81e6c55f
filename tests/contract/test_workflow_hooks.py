"""Other services start a workflow by its webhook's secret, and by nothing else."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from signoff.kit import crypto
from signoff.runs.hooks.models import WorkflowHook
from signoff.workspaces.models import Credential
from tests.contract.scenes import Abroad
from tests.house import House
from tests.wire import fails
from tests.workflows.script import Script

ORDER = {"type": "object", "properties": {"order": {"type": "integer"}}, "required": ["order"]}


@pytest.fixture
def script(house: House) -> Script:
    return Script(house)


def flow(script: Script, **fields: Any) -> str:
    return script.workflow({"id": "note", "agent": script.agent("note")}, short="hooked", **fields)


def on(house: House, slug: str, **body: Any) -> str:
    return house.post(f"/api/workflows/{slug}/hook", body)["secret"]


def call(house: House, slug: str, secret: str | None, body: Any = None, **headers: str) -> httpx.Response:
    """Somebody who has no account here."""
    shown = {"Authorization": f"Bearer {secret}"} if secret is not None else {}
    content = body if isinstance(body, str | bytes) else json.dumps({} if body is None else body)
    return httpx.post(f"{house.url}/hooks/workflows/{slug}", content=content, headers={**shown, **headers})


def runs_of(house: House, slug: str) -> list[dict[str, Any]]:
    return [
        each for each in house.get("/api/runs", limit=200)["items"] if each["workflow"] == slug and not each["step"]
    ]


@pytest.mark.both_databases
def test_the_body_is_the_input_of_a_run_that_the_webhook_started(house: House, script: Script):
    slug = flow(script, input_schema=ORDER)
    made = house.post(f"/api/workflows/{slug}/hook", {})
    assert made["address"] == f"{house.settings.base_url}/hooks/workflows/{slug}"
    answer = call(house, slug, made["secret"], '{"order": 12345678901234567890123, "rate": 1.10}')
    assert answer.status_code == 202, answer.text
    assert set(answer.json()) == {"run_id", "status"}
    run = house.ended(answer.json()["run_id"])
    assert (run["status"], run["created_by"]) == ("completed", f"webhook:{slug}")
    assert run["input"] == {"order": 12345678901234567890123, "rate": 1.1}
    entries = house.get("/api/audit", limit=50)["items"]
    started = next(each for each in entries if each["run_id"] == run["id"] and each["action"] == "run.started")
    assert (started["actor"], started["data"]["via"]) == (f"webhook:{slug}", "hook")


def test_the_secret_may_come_in_a_header_of_its_own(house: House, script: Script):
    slug = flow(script)
    secret = on(house, slug)
    assert call(house, slug, None, **{"X-Signoff-Secret": secret}).status_code == 202
    assert call(house, slug, None, "", **{"X-Signoff-Secret": secret}).status_code == 202


def test_fields_of_the_body_are_mapped_to_the_input(house: House, script: Script):
    slug = flow(script, input_schema=ORDER)
    mapping = {"order": "data.items.0.id", "kind": {"const": "shop"}, "note": {"path": "data.note", "default": None}}
    secret = on(house, slug, input=mapping | {"count": {"template": "length(data.items)"}})
    answer = call(house, slug, secret, {"data": {"items": [{"id": 7}]}})
    assert answer.status_code == 202, answer.text
    given = house.run(answer.json()["run_id"])["input"]
    assert given == {"order": 7, "kind": "shop", "note": None, "count": 1}
    missing = call(house, slug, secret, {"data": {}})
    assert missing.status_code == 422
    assert "data.items.0.id" in missing.json()["detail"]
    house.post(f"/api/workflows/{slug}/hook", {"input": {"a": {"template": "lenght(@)"}}}, 422)


@pytest.mark.both_databases
def test_the_same_key_starts_it_once(house: House, script: Script):
    slug = flow(script)
    secret = on(house, slug)
    for header in ("Idempotency-Key", "webhook-id"):
        first, second = (call(house, slug, secret, {"n": 1}, **{header: f"msg-{header}"}) for _ in range(2))
        assert (first.status_code, second.status_code) == (202, 202)
        assert first.json() == second.json()
        assert second.headers["Idempotent-Replay"] == "true"
        other = call(house, slug, secret, {"n": 2}, **{header: f"msg-{header}"})
        assert other.json()["code"] == "idempotency_key_reused"
    assert len(runs_of(house, slug)) == 2


def test_a_wrong_secret_and_a_wrong_name_are_told_apart_by_nobody(house: House, script: Script, abroad: Abroad):
    slug = flow(script)
    off = script.workflow({"id": "note", "tool": "read_file", "input": {"path": {"const": "a"}}}, short="unhooked")
    secret = on(house, slug)
    step = {"id": "a", "agent": abroad.ids["slug"]}
    assert abroad.client.post("/api/workflows", json={"slug": slug, "name": "T", "steps": [step]}).status_code == 201
    theirs = abroad.client.post(f"/api/workflows/{slug}/hook", json={}).json()["secret"]
    wrong = [
        call(house, slug, None),
        call(house, slug, None, Authorization="Basic abc"),
        call(house, slug, "hook_wrong"),
        call(house, slug, crypto.hash_secret(secret)),
        call(house, slug, house.settings.token),
        call(house, off, secret),
        call(house, "nobody-s", secret),
        call(house, slug, "hook_wrong", "{"),
    ]
    assert {each.status_code for each in wrong} == {401}
    assert len({each.json()["detail"] for each in wrong}) == 1
    assert runs_of(house, slug) == []
    # Of two workspaces with the same slug, the secret says which is meant.
    run_id = call(house, slug, theirs).json()["run_id"]
    assert house.client.get(f"/api/runs/{run_id}").status_code == 404
    assert abroad.client.get(f"/api/runs/{run_id}").json()["workflow"] == slug
    assert runs_of(house, slug) == []


def test_an_old_secret_is_good_no_more(house: House, script: Script):
    slug = flow(script)
    first = on(house, slug, input={"a": "b"})
    second = on(house, slug)
    assert house.get(f"/api/workflows/{slug}/hook")["input"] == {"a": "b"}
    assert [call(house, slug, each, {"b": 1}).status_code for each in (first, second)] == [401, 202]
    assert house.client.delete(f"/api/workflows/{slug}/hook").status_code == 204
    assert call(house, slug, second, {"b": 1}).status_code == 401
    assert house.get(f"/api/workflows/{slug}/hook")["on"] is False
    again = on(house, slug)
    assert house.client.delete(f"/api/workflows/{slug}").status_code == 204
    assert call(house, slug, again).status_code == 401


def test_what_does_not_fit_starts_nothing(house: House, script: Script):
    slug = flow(script, input_schema=ORDER)
    secret = on(house, slug)
    wrong = call(house, slug, secret, {"order": "seven"})
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["path"] == "input.order"
    for body in ("[1]", "null", "{", '{"a": NaN}', '{"order": 1, "order": 2}', "[" * 100 + "]" * 100):
        assert call(house, slug, secret, body).status_code == 422, body[:20]
    assert call(house, slug, secret, b'{"a": "' + b"x" * (2 * 1024**2) + b'"}').status_code == 413
    assert runs_of(house, slug) == []


def test_only_what_is_deployed_is_started(house: House, script: Script):
    slug = script.name("drafted")
    body = {"slug": slug, "name": slug, "steps": [{"id": "a", "agent": script.agent("a")}]}
    assert house.client.post("/api/workflows", params={"draft": True}, json=body).status_code == 201
    refused = call(house, slug, on(house, slug))
    assert (refused.status_code, refused.json()["code"]) == (409, "workflow_not_deployed")


def test_the_secret_is_shown_once_and_kept_nowhere(house: House, script: Script):
    slug = flow(script)
    headers = {"Idempotency-Key": "turn-on"}
    secret = house.post(f"/api/workflows/{slug}/hook", {}, 200, **headers)["secret"]
    again = house.client.post(f"/api/workflows/{slug}/hook", json={}, headers=headers)
    assert again.json()["code"] == "secret_not_repeated"
    call(house, slug, secret, {"said": secret})
    shown = json.dumps([house.get(f"/api/workflows/{slug}/hook"), house.get("/api/audit", limit=100)])
    assert secret not in shown
    kept = house.parts.db.read(lambda s: [each.digest for each in s.query(WorkflowHook)])
    assert crypto.hash_secret(secret) in kept
    assert secret not in kept


def test_it_ends_with_whoever_turned_it_on(house: House, script: Script):
    slug = flow(script)
    admin = house.member("admin")
    me = admin.get("/api/me").json()
    secret = admin.post(f"/api/workflows/{slug}/hook", json={}).json()["secret"]
    assert call(house, slug, secret).status_code == 202
    member = next(
        each for each in house.get("/api/members", limit=200)["items"] if each["email"] == me["user"]["email"]
    )
    assert house.client.delete(f"/api/members/{member['id']}").status_code == 204
    assert call(house, slug, secret).status_code == 401
    assert "no longer a member" in house.get(f"/api/workflows/{slug}/hook")["problem"]
    assert call(house, slug, on(house, slug)).status_code == 202


@pytest.mark.both_databases
@pytest.mark.parametrize("way", ["revoked", "expired"])
def test_it_ends_with_the_token_that_it_was_made_with(house: House, script: Script, way: str):
    slug = flow(script)
    admin = house.member("admin")
    made = admin.post("/api/tokens", json={"name": "leaked"}).json()
    token = {"Authorization": f"Bearer {made['token']}"}
    turned_on = httpx.post(f"{house.url}/api/workflows/{slug}/hook", json={}, headers=token)
    secret = turned_on.json()["secret"]
    assert call(house, slug, secret).status_code == 202
    if way == "revoked":
        assert admin.delete(f"/api/tokens/{made['id']}").status_code == 204
    else:
        over = {"expires_at": datetime.now(UTC) - timedelta(seconds=1)}
        house.parts.db.write(lambda s: s.execute(update(Credential).where(Credential.id == made["id"]).values(over)))
    assert call(house, slug, secret).status_code == 401
    assert "API token" in house.get(f"/api/workflows/{slug}/hook")["problem"]
    assert runs_of(house, slug)
    assert call(house, slug, admin.post(f"/api/workflows/{slug}/hook", json={}).json()["secret"]).status_code == 202


def test_who_turned_it_on_is_no_second_pair_of_eyes(house: House, script: Script):
    rules = 'version: "1.0"\ncheckpoints:\n  - name: "Four eyes"\n    trigger: {tool: send_message}\n'
    house.client.put("/api/rules", json={"yaml": rules + "    action: {four_eyes: true}\n"})
    step = {"id": "send", "tool": "send_message", "input": {"channel": {"const": "#s"}, "text": {"const": "Hi"}}}
    slug = script.workflow(step, short="eyed")
    admin, other = house.member("admin"), house.member("approver")
    secret = admin.post(f"/api/workflows/{slug}/hook", json={}).json()["secret"]
    run_id = call(house, slug, secret).json()["run_id"]
    ask = house.until(lambda: house.get("/api/asks", run=run_id, below=True, status="pending")["items"])[0]
    refused = admin.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"})
    assert refused.status_code == 403, refused.text
    assert other.post(f"/api/asks/{ask['id']}/answer", json={"decision": "approve"}).status_code == 200
    assert house.ended(run_id)["status"] == "completed"
    house.client.put("/api/rules", json={"yaml": 'version: "1.0"\n'})


def test_only_so_many_runs_a_minute(house: House, script: Script):
    slug = flow(script)
    secret, most = on(house, slug), house.settings.hook_starts_per_minute
    answers = [call(house, slug, secret, {}, **{"webhook-id": "same"}).status_code for _ in range(most + 1)]
    assert answers == [202] * most + [429]


def test_while_all_is_paused_its_runs_wait(house: House, script: Script):
    slug = flow(script)
    secret = on(house, slug)
    house.post("/api/pause-all", {"enabled": True})
    try:
        run_id = call(house, slug, secret).json()["run_id"]
        assert house.run(run_id)["status"] == "queued"
        assert script.children(run_id) == []
    finally:
        house.post("/api/pause-all", {"enabled": False})
    assert house.ended(run_id)["status"] == "completed"


def test_whose_webhook_it_is_hears_of_a_run_that_fails_and_of_no_other(house: House, script: Script):
    breaks = script.playing("breaks", lambda _: fails(400, "broken"))
    for agent, wanted in ((breaks, ["failed"]), (script.agent("works"), [])):
        slug = script.workflow({"id": "only", "agent": agent}, short=f"tells-{agent}")
        with house.member("admin") as ann:
            secret = ann.post(f"/api/workflows/{slug}/hook", json={}).raise_for_status().json()["secret"]
            run = call(house, slug, secret).json()["run_id"]
            house.ended(run)
            told = ann.get("/api/notifications", params={"limit": 200}).json()["items"]
            assert [each["kind"] for each in told if each["run_id"] == run] == wanted
