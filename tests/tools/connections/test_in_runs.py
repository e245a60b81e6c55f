"""Runs that were granted a database and a mail server: what they read, what people see, and what then happens."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff.kit.settings import Settings
from tests.channels.mailbox import Mailbox, text_of
from tests.contract.conftest import database_url, folder, house, model  # noqa: F401
from tests.contract.scenes import run_that, said_to_model
from tests.fresh import settings_for
from tests.house import House
from tests.wire import call, says


@pytest.fixture(scope="module", params=["sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def settings(database_url: str, folder: Path, files: Path) -> Settings:  # noqa: F811
    return settings_for(database_url, folder).model_copy(update={"connection_files": files})


@pytest.fixture
def shop(house: House, files: Path) -> Iterator[Path]:  # noqa: F811
    place = files / "shop.db"
    place.unlink(missing_ok=True)
    with sqlite3.connect(place) as made:
        made.execute("CREATE TABLE orders (id integer PRIMARY KEY, state text)")
        made.execute("INSERT INTO orders VALUES (1, 'open'), (2, 'open'), (3, 'paid')")
    made.close()
    body = {"slug": "shop", "name": "The shop", "kind": "database", "settings": {"url": "sqlite:///shop.db"}}
    house.post("/api/connections", body, 201)
    assert house.post("/api/connections/shop/test") == {"ok": True, "error": None}
    yield place
    house.client.delete("/api/connections/shop")


@pytest.fixture
def mail(house: House) -> Iterator[Mailbox]:  # noqa: F811
    mailbox = Mailbox()
    secrets = {"password": "a-password-of-the-tests"}
    house.post(
        "/api/connections", {"slug": "post", "kind": "email", "settings": mailbox.settings, "secrets": secrets}, 201
    )
    assert house.post("/api/connections/post/test")["ok"]
    yield mailbox
    house.client.delete("/api/connections/post")
    mailbox.close()


def test_a_question_runs_by_itself_and_a_change_waits_with_its_rows(house: House, shop: Path) -> None:  # noqa: F811
    sql = "UPDATE orders SET state = 'sent' WHERE state = 'open'"
    run_id = run_that(
        house,
        says("", call("shop__query", {"sql": "SELECT COUNT(*) AS open_orders FROM orders WHERE state = 'open'"})),
        says("", call("shop__execute", {"sql": sql})),
        tools=("shop__*",),
    )
    ask = house.ask(run_id)
    assert (ask["tool"], ask["risk"]["level"], ask["action_type"]) == ("shop__execute", "high", "external_api")
    assert (ask["preview"]["kind"], ask["preview"]["summary"]) == ("rows", "Changes 2 rows of orders")
    assert ask["preview"]["detail"]["after"] == [["sent"], ["sent"]]
    # Somebody pays meanwhile: nobody approves what was not shown.
    with sqlite3.connect(shop) as other:
        other.execute("UPDATE orders SET state = 'paid' WHERE id = 2")
    other.close()
    house.answer(ask, status=409)
    again = house.ask(run_id)
    assert again["preview"]["summary"] == "Changes 1 row of orders"
    house.answer(again, digest=again["digest"])
    assert house.ended(run_id)["status"] == "completed"
    with sqlite3.connect(shop) as there:
        assert there.execute("SELECT state FROM orders ORDER BY id").fetchall() == [("sent",), ("paid",), ("paid",)]
    there.close()
    assert '\\"open_orders\\"' in said_to_model(house, run_id) or "open_orders" in said_to_model(house, run_id)
    assert "affected" in said_to_model(house, run_id)


def test_what_was_approved_for_one_place_is_not_done_at_another(house: House, shop: Path) -> None:  # noqa: F811
    # Nobody can count it, so there is nothing to compare but the place.
    sql = "CREATE TABLE returns (id integer)"
    run_id = run_that(house, says("", call("shop__execute", {"sql": sql})), tools=("shop__*",))
    ask = house.ask(run_id)
    assert ask["preview"]["kind"] == "none"
    shutil.copy(shop, shop.with_name("other.db"))
    elsewhere = {"settings": {"url": "sqlite:///other.db"}}
    assert house.client.patch("/api/connections/shop", json=elsewhere).status_code == 200
    house.answer(ask, status=409)
    again = house.ask(run_id)
    assert (again["id"], again["digest"] == ask["digest"]) == (ask["id"], False)
    house.answer(again, "deny", digest=again["digest"])


@pytest.mark.parametrize("tool", ["post__send_email", "send_email"])
def test_a_mail_waits_as_its_reader_sees_it(house: House, mail: Mailbox, tool: str) -> None:  # noqa: F811
    given = {"to": "eve@away.example", "subject": "Your order", "body": "It is on its way."}
    run_id = run_that(house, says("", call(tool, given)), tools=("post__*", "send_email"))
    ask = house.ask(run_id)
    assert (ask["tool"], ask["risk"]["level"]) == (tool, "critical")
    shown = ask["preview"]["detail"]
    assert shown["to"] == [{"address": "eve@away.example", "outside": True}]
    assert mail.mails == []
    house.answer(ask)
    assert house.ended(run_id)["status"] == "completed"
    (sent,) = mail.mails
    assert (sent["To"], sent["Subject"], text_of(sent).strip()) == ("eve@away.example", shown["subject"], given["body"])
    assert "a-password-of-the-tests" not in str(house.get("/api/connections/post"))


def test_without_a_mail_connection_the_agent_reads_how_to_get_one(house: House) -> None:  # noqa: F811
    given = {"to": "eve@away.example", "subject": "x", "body": "y"}
    run_id = run_that(house, says("", call("send_email", given)), tools=("send_email",))
    ask = house.ask(run_id)
    assert "This run has no mail connection" in ask["preview"]["why"]
    house.answer(ask)
    house.ended(run_id)
    assert "an admin sets one up under Connections" in said_to_model(house, run_id)
    listed = {each["name"]: each for each in house.get("/api/tools")["items"]}
    assert "connection of the kind email" in listed["send_email"]["missing"]
