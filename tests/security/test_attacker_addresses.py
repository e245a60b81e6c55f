"""Private addresses in every spelling: an agent's tools never reach them, and say no more about them than that."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from signoff.kit.settings import Settings
from tests.contract.scenes import run_that
from tests.fresh import settings_for
from tests.house import ENDED, House, until
from tests.security.test_attacker_patterns import Elsewhere
from tests.wire import call, says

SPELLINGS = [
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://0.0.0.0:PORT/",
    "http://0:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0x7f.0.0.1:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://017700000001:PORT/",
    "http://127.000.000.001:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://localhost:PORT/",
    "http://LOCALHOST.:PORT/",
    "http://localhost.localdomain:PORT/",
    "http://[::1]:PORT/",
    "http://[::]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://user@127.0.0.1:PORT/",
    "http://example.org@127.0.0.1:PORT/",
    "http://example.org:80@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT#@example.org/",
    "http://127.0.0.1:PORT\\@example.org/",
    "http:\\\\127.0.0.1:PORT/",
    "http:127.0.0.1:PORT/",
    "HTTP://127.0.0.1:PORT/",
    " http://127.0.0.1:PORT/",
    "//127.0.0.1:PORT/",
    "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460:PORT/",
    "http://127\u30020\u30020\u30021:PORT/",
    "http://%31%32%37.0.0.1:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://10.0.0.1/",
    "http://100.64.0.1/",
    "file:///etc/hostname",
    "ftp://127.0.0.1/",
    "data:text/plain,hello",
    "javascript:alert(1)",
]


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


@pytest.fixture(scope="module")
def settings(database_url: str, folder: Path) -> Settings:
    """As in production: no private addresses."""
    return settings_for(database_url, folder).model_copy(update={"allow_private_addresses": False})


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Elsewhere]:
    """On this machine, where no agent has any business."""
    server = Elsewhere()
    yield server
    server.close()


def ended(house: House, run: str) -> dict[str, Any]:
    """Somebody approves whatever is asked."""

    def look() -> dict[str, Any] | None:
        for ask in house.asks(run):
            house.answer(ask)
        return found if (found := house.run(run))["status"] in ENDED else None

    return until(look)


def test_no_spelling_of_a_private_address_is_reached(house: House, elsewhere: Elsewhere) -> None:
    port = elsewhere.url.rpartition(":")[2]
    urls = [each.replace("PORT", port) for each in SPELLINGS]
    calls = [call("web_fetch", {"url": url}, f"fetch_{n}") for n, url in enumerate(urls)]
    turns = [says("", *calls[n : n + 8]) for n in range(0, len(calls), 8)]
    run = run_that(house, *turns, tools=("web_fetch",), autonomy="full")
    ended(house, run)
    fetched = [each for each in house.calls(run) if each["tool"] == "web_fetch"]
    assert len(fetched) == len(urls)
    assert {
        each["arguments"]["url"]: each["status"] for each in fetched if each["status"] not in ("failed", "denied")
    } == {}
    assert elsewhere.asked == []


def test_what_the_model_reads_of_a_refusal_names_no_path_of_the_server(house: House) -> None:
    calls = [call("web_fetch", {"url": "file:///etc/hostname"}), call("read_file", {"path": "a" * 5_000})]
    calls += [call("write_file", {"path": f"{'x' * 300}.txt", "content": "x"}), call("read_file", {"path": "/etc/x"})]
    tools = ("web_fetch", "read_file", "write_file")
    run = run_that(house, says("", *calls), tools=tools, autonomy="full")
    ended(house, run)
    shown = str([each["error"] or each["result"] for each in house.calls(run)])
    assert str(house.settings.data) not in shown
