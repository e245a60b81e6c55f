"""The hosts that an agent may reach, where it uses connections."""

from typing import Any

import pytest

from signoff.kit.ids import new_id
from tests.connections.connecting import connect, last_call
from tests.contract.scenes import run_that
from tests.house import House
from tests.wire import call, says

MAIL = {"host": "mail.example.com", "from": "us@example.com", "security": "none"}
DATABASE = {"url": "postgresql://u:${password}@db.example.com/d"}
# A connection, one of its tools with arguments, and where it leads.
ELSEWHERE: list[tuple[dict[str, Any], str, dict[str, Any], str]] = [
    (
        {"kind": "email", "settings": MAIL},
        "send_email",
        {"to": "a@example.com", "subject": "s", "body": "b"},
        "mail.example.com",
    ),
    (
        {"kind": "slack", "settings": {"channel": "#a"}, "secrets": {"bot_token": "xoxb-1-a"}},
        "post_message",
        {"text": "Hello"},
        "slack.com",
    ),
    (
        {"kind": "database", "settings": DATABASE, "secrets": {"password": "a-password"}},
        "query",
        {"sql": "SELECT 1"},
        "db.example.com",
    ),
]


@pytest.mark.parametrize("leading", ELSEWHERE, ids=["email", "slack", "database"])
def test_no_connection_leads_an_agent_to_a_host_that_it_may_not_reach(
    house: House, leading: tuple[dict[str, Any], str, dict[str, Any], str]
) -> None:
    connection, tool, arguments, host = leading
    slug = f"c{new_id()[-8:]}"
    house.post("/api/connections", {"slug": slug, **connection}, 201)
    use = says("", call(f"{slug}__{tool}", arguments))
    run_id = run_that(house, use, tools=(f"{slug}__*",), autonomy="full", egress=["example.org"])
    assert house.ended(run_id)["status"] == "completed"
    made = last_call(house, run_id, f"{slug}__{tool}")
    assert (made["status"], f"{host} is not among the hosts" in made["error"]) == ("failed", True), made


def test_a_server_over_http_is_reached_by_agents_that_may_reach_its_host(house: House, web_server: str) -> None:
    slug = connect(house, {"transport": "http", "url": web_server})
    echo = says("", call(f"{slug}__echo", {"message": "hello"}))
    ended = list[str]()
    for hosts in (["example.org"], ["127.0.0.1"], None):
        run_id = run_that(house, echo, tools=(f"{slug}__*",), autonomy="full", egress=hosts)
        house.ended(run_id)
        ended.append(last_call(house, run_id, f"{slug}__echo")["status"])
    assert ended == ["failed", "succeeded", "succeeded"]
