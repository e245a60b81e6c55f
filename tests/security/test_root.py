"""`SIGNOFF_TOKEN` is an admin of its own."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
from sqlalchemy.orm import Session

from signoff.kit.ids import new_id
from signoff.kit.settings import Settings
from signoff.workspaces import credentials, queries
from signoff.workspaces.models import User
from signoff.workspaces.sign_in import passwords
from tests.contract.scenes import problem, waiting
from tests.fresh import ROOT_TOKEN
from tests.house import House
from tests.joining import browser, join, signed_in
from tests.wire import Model


def test_the_root_token_is_nobodys_and_stays_admin_whoever_is_demoted(house: House) -> None:
    me = house.get("/api/me")
    assert (me["user"]["email"], me["role"], me["standing"]) == ("signoff-token@localhost", "admin", "root")
    email = f"{new_id()}@example.org"
    join(house.client, email, "admin")
    first = next(each for each in house.get("/api/members", limit=200)["items"] if each["email"] == "admin@localhost")
    assert house.client.patch(f"/api/members/{first['id']}", json={"role": "viewer"}).status_code == 200
    assert house.get("/api/me")["role"] == "admin"
    assert house.client.patch(f"/api/members/{first['id']}", json={"role": "admin"}).status_code == 200


def test_the_root_token_is_marked_among_the_members(house: House) -> None:
    marked = [each["email"] for each in house.get("/api/members", limit=200)["items"] if each["is_root"]]
    assert marked == ["signoff-token@localhost"]


def test_the_root_token_decides_alone(house: House) -> None:
    _, ask = waiting(house)
    assert house.answer(ask)["status"] == "approved"


def test_nobody_else_gets_the_root_tokens_address(house: House) -> None:
    body = {"email": "signoff-token@localhost", "name": "x", "role": "admin"}
    for path in ("/api/members", "/api/invitations"):
        problem(house.client.post(path, json=body), 409)


def test_nobody_is_let_in_as_the_root_token(house: House) -> None:
    email = f"{new_id()}@example.org"
    root = house.get("/api/me")["user"]
    _, ask = waiting(house)
    with house.client_for(join(house.client, email, "admin")) as admin:
        for user in (root["email"], root["id"]):
            assert problem(admin.post("/api/auth/links", json={"user": user}), 409)["code"] == "is_root"
            assert problem(admin.post("/api/tokens", json={"name": "x", "user": user}), 409)["code"] == "is_root"
            problem(admin.post(f"/api/asks/{ask['id']}/assign", json={"user": user}), 422)


def test_nothing_is_good_for_the_root_token_but_the_setting(house: House) -> None:
    """As when somebody got a way in as the root token, or set its password, before that was refused."""
    root = house.get("/api/me")["user"]

    def make(session: Session) -> str:
        user = session.get_one(User, root["id"])
        user.password_hash = passwords.hashed("a password of root")
        member = queries.last_membership(session, user.id)
        assert member is not None
        return credentials.open_session(session, member, credentials.Bond(), "link", None)[1]

    cookie = house.parts.db.write(make)
    problem(httpx.get(f"{house.url}/api/me", cookies={"signoff_session": cookie}), 401)
    with browser(house.url) as page:
        given = {"email": root["email"], "password": "a password of root"}
        problem(page.post("/api/auth/sign-in", json=given), 401)


def test_what_the_root_token_made_is_worth_nothing_once_the_setting_is_another(
    settings: Settings, model: Model, tmp_path: Path
) -> None:
    own = settings.model_copy(update={"data": tmp_path, "database_url": ""})
    with House(own, model) as house:
        token = house.post("/api/tokens", {"name": "x"}, 201)["token"]
        email = f"{new_id()}@example.org"
        person = join(house.client, email, "member")
        service = house.post("/api/tokens", {"name": "service", "user": email}, 201)["token"]
        with signed_in(house.url, token=ROOT_TOKEN) as browser:
            assert browser.get("/api/me").json()["standing"] == "root"
            cookie = browser.cookies["signoff_session"]
    for changed in ("another-token-of-the-tests", ""):
        with House(own.model_copy(update={"token": changed}), model) as house:
            for secret in (ROOT_TOKEN, token, service):
                problem(httpx.get(f"{house.url}/api/me", headers={"Authorization": f"Bearer {secret}"}), 401)
            problem(httpx.get(f"{house.url}/api/me", cookies={"signoff_session": cookie}), 401)
            with house.client_for(person) as client:
                assert client.get("/api/me").status_code == 200
    with House(own, model) as house:
        for secret in (token, service):
            problem(httpx.get(f"{house.url}/api/me", headers={"Authorization": f"Bearer {secret}"}), 401)
        problem(httpx.get(f"{house.url}/api/me", cookies={"signoff_session": cookie}), 401)


def test_the_server_refuses_to_start_with_a_token_that_can_be_guessed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "signoff", "serve", "--data", str(tmp_path)]
    environment = {**os.environ, "SIGNOFF_TOKEN": "fifteen-letters"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert "SIGNOFF_TOKEN needs at least 16 characters" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "fifteen-letters" not in ended.stderr
