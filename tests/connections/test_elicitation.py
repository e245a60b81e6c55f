"""What servers ask people in the middle of a call."""

import sys
from pathlib import Path

import pytest

from tests.connections.connecting import connect, last_call, tools_of
from tests.contract.scenes import run_that, said_to_model
from tests.house import House
from tests.mcp_servers import servers
from tests.wire import call, says


def test_a_servers_question_is_answered_in_the_inbox_and_the_call_goes_on(house: House) -> None:
    slug = connect(house, servers.command("everything", "stdio"))
    tool = f"{slug}__trigger-elicitation-request"
    run_id = run_that(house, says("", call(tool, {})), tools=(tool,))
    house.answer(house.ask(run_id))
    ask = house.ask(run_id)
    assert (ask["kind"], ask["response_type"], ask["tool"]) == ("question", "form", tool)
    assert ask["title"].startswith(f"{slug} asks:")
    house.until(lambda: house.run(run_id)["status"] == "waiting_input")
    assert (
        house.client.post(
            f"/api/asks/{ask['id']}/answer", json={"decision": "respond", "value": {"check": "no"}}
        ).status_code
        == 422
    )
    house.answer(ask, "respond", value={"name": "Ann Lee", "check": True})
    assert house.ended(run_id)["status"] == "completed"
    assert "Name: Ann Lee" in said_to_model(house, run_id)
    assert last_call(house, run_id, tool)["attempt"] == 2


def test_a_server_is_told_that_people_can_be_asked_and_no_model(house: House, web_server: str) -> None:
    """This one offers each only to clients that say they can."""
    offered = tools_of(house, connect(house, {"transport": "http", "url": web_server}))
    assert "trigger-elicitation-request" in offered
    assert not any("sampling" in name for name in offered)


def test_a_page_to_visit_is_shown_as_text_and_confirmed(house: House, web_server: str) -> None:
    slug = connect(house, {"transport": "http", "url": web_server})
    tool = f"{slug}__trigger-url-elicitation"
    run_id = run_that(house, says("", call(tool, {"url": "https://example.org/consent"})), tools=(tool,))
    house.answer(house.ask(run_id))
    ask = house.ask(run_id)
    assert ask["response_type"] == "boolean"
    assert "https://example.org/consent" in ask["description"]
    house.answer(ask, "respond", value=True)
    assert house.ended(run_id)["status"] == "completed"
    assert last_call(house, run_id, tool)["status"] == "succeeded"


def test_an_address_that_hides_where_it_leads_is_put_before_nobody(house: House, web_server: str) -> None:
    slug = connect(house, {"transport": "http", "url": web_server})
    tool = f"{slug}__trigger-url-elicitation"
    run_id = run_that(
        house, says("", call(tool, {"url": "https://bank.example@elsewhere.example/consent"})), tools=(tool,)
    )
    house.answer(house.ask(run_id))
    assert house.ended(run_id)["status"] == "completed"
    ended = last_call(house, run_id, tool)
    assert (ended["status"], "hides where it leads" in ended["error"]) == ("failed", True)


def test_a_page_that_is_wanted_instead_of_a_result_is_shown_too(house: House, web_server: str) -> None:
    slug = connect(house, {"transport": "http", "url": web_server})
    tool = f"{slug}__trigger-url-elicitation"
    wanted = {"url": "https://example.org/consent", "errorPath": True}
    run_id = run_that(house, says("", call(tool, wanted)), tools=(tool,))
    house.answer(house.ask(run_id))
    ask = house.ask(run_id)
    assert "https://modelcontextprotocol.io" in ask["description"]
    house.answer(ask, "respond", value=False)
    assert house.ended(run_id)["status"] == "completed"
    assert last_call(house, run_id, tool)["status"] == "denied"


def test_whoever_does_not_answer_lets_the_agent_go_on_without(house: House, web_server: str) -> None:
    slug = connect(house, {"transport": "http", "url": web_server})
    tool = f"{slug}__trigger-elicitation-request"
    run_id = run_that(house, says("", call(tool, {})), tools=(tool,))
    house.answer(house.ask(run_id))
    house.post(f"/api/asks/{house.ask(run_id)['id']}/cancel")
    assert house.ended(run_id)["status"] == "completed"
    assert last_call(house, run_id, tool)["status"] == "denied"


@pytest.mark.slow
def test_a_question_of_the_newest_protocol_is_answered_the_same_way(house: House) -> None:
    script = str(Path(servers.__file__).with_name("modern.py"))
    slug = connect(house, {"transport": "stdio", "command": sys.executable, "args": [script]})
    run_id = run_that(house, says("", call(f"{slug}__greet", {})), tools=(f"{slug}__*",))
    house.answer(house.ask(run_id))
    house.answer(house.ask(run_id), "respond", value={"name": "Ann Lee"})
    assert house.ended(run_id)["status"] == "completed"
    assert "hello Ann Lee" in said_to_model(house, run_id)
