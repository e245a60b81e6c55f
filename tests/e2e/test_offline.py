"""Connections break and servers restart: nothing that a person decided is lost, nothing is shown twice."""

import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.e2e.conftest import TOKEN, Guard, Server, guarded, running_server, signed_in
from tests.e2e.flows import ask_card
from tests.e2e.scripted import Scripted
from tests.wire import Model

# What a browser says about a server that is not there.
GONE = r"ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED|INCOMPLETE_CHUNKED|EMPTY_RESPONSE|CONNECTION_RESET|FAILED)|409"


class House:
    """A server that can be killed and started again in its place."""

    def __init__(self, folder: Path, model: Model) -> None:
        self._folder, self._model = folder, model
        self._running = ExitStack()
        self.server = self._start(None)

    def _start(self, port: int | None) -> Server:
        more = {"OPENAI_BASE_URL": self._model.url, "SIGNOFF_DEMO": "false", "SIGNOFF_LEASE_SECONDS": "2"}
        return self._running.enter_context(running_server(self._folder, port, **more))

    @property
    def _process(self) -> "subprocess.Popen[str]":
        assert self.server.process
        return self.server.process

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._running.close()

    def start_again(self) -> None:
        self.server = self._start(urlsplit(self.server.url).port)

    def see_that_it_runs(self) -> None:
        """A test that failed may have left it dead."""
        if self._process.poll() is not None:
            self.start_again()

    def close(self) -> None:
        self._running.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, model: Model) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("offline"), model)
    yield house
    house.close()


@pytest.fixture
def agents(house: House, model: Model) -> Iterator[Scripted]:
    house.see_that_it_runs()
    with httpx.Client(base_url=house.server.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=40) as client:
        scripted = Scripted(client, model)
        scripted.clear()
        yield scripted


@pytest.fixture
def visit(browser: Browser, house: House) -> Iterator[tuple[Page, Guard]]:
    with guarded(browser, house.server) as (context, guard):
        guard.allowed.append(GONE)
        yield signed_in(context), guard


def live(page: Page) -> None:
    expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()


def requests_of(page: Page) -> Callable[[], None]:
    """From now on. Waits until all of them but the stream of events have their answer."""
    reading = set[Request]()
    # Playwright takes no methods of built-in types.
    page.on("request", lambda each: reading.add(each))
    page.on("requestfinished", lambda each: reading.discard(each))
    page.on("requestfailed", lambda each: reading.discard(each))

    def wait() -> None:
        while any("/api/events" not in each.url for each in reading):
            page.wait_for_timeout(200)

    return wait


def test_a_killed_server_loses_no_decision_and_no_event(
    house: House, agents: Scripted, visit: tuple[Page, Guard]
) -> None:
    page, _ = visit
    ask = agents.asking("approval")
    has_read_all = requests_of(page)
    page.goto(f"/asks/{ask['id']}")
    live(page)
    expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
    # Parts of a card come by themselves, and one that is cut off in the middle is another story.
    has_read_all()
    house.kill()
    expect(page.get_by_text("Can't reach Signoff.")).to_be_visible()
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Send now").first.click()
    expect(page.get_by_text("Your decision is saved")).to_be_visible()
    house.start_again()
    live(page)
    assert agents.settled(ask)["status"] == "approved"
    expect(page.get_by_text("Can't reach Signoff.")).to_have_count(0)
    later = agents.asking("milestone")
    expect(page.get_by_role("region", name="Open asks").get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("link", name=re.compile(later["title"]))).to_be_visible()


@pytest.mark.slow
def test_a_kept_decision_that_comes_too_late_says_who_was_faster(agents: Scripted, visit: tuple[Page, Guard]) -> None:
    page, _ = visit
    ask = agents.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    live(page)
    expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
    page.context.set_offline(True)
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Send now").first.click()
    expect(page.get_by_role("region", name="Decisions on their way")).to_contain_text("saved here")
    agents.post(f"/api/asks/{ask['id']}/answer", {"decision": "deny", "note": "Wrong month"})
    page.context.set_offline(False)
    late = page.get_by_role("alert").filter(has_text="Too late")
    expect(late).to_contain_text("It was already denied by")
    expect(late).to_contain_text("Wrong month")


@pytest.mark.slow
def test_a_kept_decision_survives_a_closed_tab(agents: Scripted, visit: tuple[Page, Guard]) -> None:
    page, _ = visit
    ask = agents.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    live(page)
    expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
    page.context.set_offline(True)
    ask_card(page, ask).get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Send now").first.click()
    expect(page.get_by_role("region", name="Decisions on their way")).to_contain_text("saved here")
    page.close()
    page.context.set_offline(False)
    page.context.new_page().goto("/inbox")
    assert agents.settled(ask)["status"] == "approved"


@pytest.mark.slow
def test_an_edit_made_offline_is_sent_as_edited(agents: Scripted, visit: tuple[Page, Guard]) -> None:
    page, _ = visit
    ask = agents.asking("approval")
    page.goto(f"/asks/{ask['id']}")
    live(page)
    ask_card(page, ask).get_by_role("button", name="Edit").click()
    path = page.get_by_role("textbox", name="Path")
    expect(path).to_be_visible()
    page.context.set_offline(True)
    path.fill("offline.md")
    page.get_by_role("button", name="Approve with changes").click()
    page.context.set_offline(False)
    assert agents.settled(ask)["answer"]["arguments"]["path"] == "offline.md"


def test_the_app_opens_without_a_server_and_goes_on_by_itself(
    house: House, agents: Scripted, visit: tuple[Page, Guard]
) -> None:
    page, guard = visit
    guard.allowed.append("Failed to fetch")
    agents.asking("approval")
    page.goto("/inbox")
    live(page)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    live(page)
    page.wait_for_timeout(500)
    house.kill()
    page.reload()
    expect(page.get_by_role("heading", name="Can't reach Signoff")).to_be_visible()
    house.start_again()
    expect(page.get_by_role("region", name="Open asks").get_by_role("listitem")).to_have_count(1)


@pytest.mark.slow
def test_all_tabs_share_one_stream(agents: Scripted, visit: tuple[Page, Guard]) -> None:
    first, _ = visit
    streams: list[str] = []
    first.context.on("request", lambda request: streams.append(request.url) if "/api/events" in request.url else None)
    first.goto("/inbox")
    live(first)
    others = [first.context.new_page() for _ in range(2)]
    for page in others:
        page.goto("/inbox")
        live(page)
    assert len(streams) == 1
    ask = agents.asking("approval")
    for page in (first, *others):
        expect(page.get_by_role("link", name=re.compile(ask["title"]))).to_be_visible()
    first.close()
    ask = agents.asking("milestone")
    for page in others:
        expect(page.get_by_role("link", name=re.compile(ask["title"]))).to_be_visible()
    assert len(streams) == 2
    assert "after=" in streams[-1]


@pytest.mark.slow
def test_it_can_be_installed(house: House, visit: tuple[Page, Guard]) -> None:
    page, _ = visit
    page.goto("/inbox")
    manifest = page.request.get("/manifest.json").json()
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/inbox")
    for icon in manifest["icons"]:
        assert page.request.get(icon["src"]).headers["content-type"] == icon["type"]
    worker = page.request.get("/sw.js")
    assert worker.headers["cache-control"] == "no-cache"
    assert len(worker.body()) < 8192
    # Every page of the menu also opens without a connection.
    expect(page.get_by_role("link", name="Workflows")).to_be_visible()
    links = page.get_by_role("navigation").get_by_role("link").all()
    places = {urlsplit(link.get_attribute("href") or "").path.split("/")[1] for link in links}
    assert places > {"inbox", "workflows"}
    assert places - set(re.findall(r"[a-z-]*", worker.text())) == set()
    assert page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)").endswith("/sw.js")


@pytest.mark.slow
def test_somebody_whose_session_ended_is_told_so_and_signs_in_again(
    house: House, agents: Scripted, visit: tuple[Page, Guard]
) -> None:
    page, guard = visit
    guard.allowed.append("401")
    has_read_all = requests_of(page)
    page.goto("/inbox")
    live(page)
    # What a page reads and is refused leads to the sign-in page at once.
    has_read_all()
    # From another device: this page hears nothing but that its stream is closed.
    cookie = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())
    ours = {"Cookie": cookie, "Origin": house.server.url, "X-Signoff": "1"}
    assert httpx.post(f"{house.server.url}/api/auth/sign-out", headers=ours).is_success
    expect(page.get_by_text("Your session has ended.")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("Can't reach Signoff.")).to_have_count(0)
    page.get_by_role("alert").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Sign in to Signoff")).to_be_visible()
