"""A newcomer connects an MCP server and sees its first call approved, in few actions."""

import shlex
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from signoff.kit.ids import new_id
from signoff.kit.settings import Settings
from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import TOKEN, guarded, serving
from tests.e2e.scripted import Scripted
from tests.mcp_servers import servers, with_oauth
from tests.wire import DONE, Model, call, says

# Every click and every field that is filled in, from the first page to the decision.
MOST_ACTIONS = 15


class Actions:
    """A person's page, and how often they did something."""

    def __init__(self) -> None:
        self.count = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.count += 1

    def fill(self, what: Locator, text: str) -> None:
        what.fill(text)
        self.count += 1


@pytest.fixture
def newcomer(browser: Browser, tmp_path: Path, model: Model) -> Iterator[tuple[Page, Scripted]]:
    """Who signs in by the link of the first start: a command on the server is only theirs to add."""
    servers.install()
    with (
        serving(
            tmp_path, model, Settings(data=tmp_path / "data", token=TOKEN, connection_hosts=["127.0.0.1", "localhost"])
        ) as server,
        httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=40) as client,
        guarded(browser, server) as (context, _),
    ):
        page = context.new_page()
        page.goto(server.link)
        expect(page.get_by_role("heading", name="Inbox", exact=True)).to_be_visible()
        yield page, Scripted(client, model)


def test_a_newcomer_connects_a_server_and_approves_its_first_call(
    newcomer: tuple[Page, Scripted], tmp_path: Path
) -> None:
    page, scripted = newcomer
    shared = tmp_path / "shared"
    shared.mkdir()
    write = call("team-files__write_file", {"path": str(shared / "hello.txt"), "content": "Hello"})
    model = scripted.model.script("librarian", says("", write), DONE)
    scripted.post("/api/agents", {"slug": "librarian", "name": "Librarian", "model": model})
    made = servers.command("filesystem", str(shared))
    command = shlex.join([made["command"], *made["args"]])
    do = Actions()
    do.click(page.get_by_role("link", name="Connections"))
    do.click(page.get_by_role("link", name="Add a connection"))
    do.click(page.get_by_role("link", name="MCP server", exact=True))
    do.fill(page.get_by_role("textbox", name="Name", exact=True), "Team files")
    do.fill(page.get_by_role("textbox", name="Command"), command)
    do.click(page.get_by_role("button", name="Connect", exact=True))
    expect(page.get_by_text("It works.")).to_be_visible()
    tools = page.get_by_role("region", name="Tools")
    expect(tools.get_by_role("button", name="write_file Not reviewed High")).to_be_visible()
    check_light_and_dark(page)
    do.click(page.get_by_role("link", name="Runs", exact=True))
    do.click(page.get_by_role("button", name="Start a run"))
    do.click(page.get_by_role("radio", name="Librarian"))
    do.fill(page.get_by_role("textbox", name="Task", exact=True), "Write hello.txt")
    do.click(page.get_by_label("Team files"))
    do.click(page.get_by_role("button", name="Start", exact=True))
    card = page.get_by_role("article").filter(has_text="nobody has reviewed")
    expect(card).to_be_visible()
    do.click(card.get_by_role("button", name="Approve", exact=True))
    expect(page.get_by_text("Completed").first).to_be_visible()
    assert (shared / "hello.txt").read_text() == "Hello"
    assert do.count <= MOST_ACTIONS
    given = page.get_by_role("region", name="Connections")
    expect(given).to_contain_text("Team files all tools")


@pytest.mark.slow
def test_who_signs_in_to_a_server_comes_back_from_another_site_as_who_they_are(
    newcomer: tuple[Page, Scripted], browser: Browser
) -> None:
    page, scripted = newcomer
    # Nobody watches where this one goes: it has to leave our pages.
    with (
        with_oauth.running() as (url, provider),
        closing(browser.new_context(storage_state=page.context.storage_state())) as leaving,
    ):
        slug, settings = f"c{new_id()[-8:]}", {"transport": "http", "url": url, "auth": "oauth"}
        scripted.post("/api/connections", {"slug": slug, "kind": "mcp", "settings": settings})
        ours = "{method: 'POST', headers: {'X-Signoff': '1'}}"
        begin = f"slug => fetch(`/api/connections/${{slug}}/sign-in`, {ours}).then(answer => answer.json())"
        away = leaving.new_page()
        away.goto(page.evaluate(begin, slug)["url"])
        expect(away.get_by_text(f"You are signed in to {slug}.")).to_be_visible()
        assert provider.issued


@pytest.mark.slow
def test_who_follows_a_run_sees_how_far_a_call_has_come(newcomer: tuple[Page, Scripted]) -> None:
    page, scripted = newcomer
    settings = servers.command("everything", "stdio")
    scripted.post("/api/connections", {"slug": "all", "name": "All", "kind": "mcp", "settings": settings})
    scripted.post("/api/connections/all/test", {})
    tool = "trigger-long-running-operation"
    scripted.post(f"/api/connections/all/tools/{tool}/review", {"reviewed": True, "risk": "low"})
    model = scripted.model.script("patient", says("", call(f"all__{tool}", {"duration": 9, "steps": 3})), DONE)
    scripted.post("/api/agents", {"slug": "patient", "name": "Patient", "model": model, "tools": [f"all__{tool}"]})
    run = scripted.post("/api/runs", {"agent": "patient", "task": "Wait"})["id"]
    page.goto(f"/runs/{run}")
    line = page.get_by_role("list", name="Transcript").get_by_role("button", name="Trigger")
    expect(line.get_by_text(" of 3")).to_be_visible()
    expect(page.get_by_text("Completed").first).to_be_visible()
    expect(line.get_by_text(" of 3")).to_have_count(0)


@pytest.mark.slow
def test_who_starts_a_run_gives_it_some_tools_of_a_connection(newcomer: tuple[Page, Scripted], tmp_path: Path) -> None:
    page, scripted = newcomer
    settings = servers.command("filesystem", str(tmp_path))
    scripted.post("/api/connections", {"slug": "files", "name": "Files", "kind": "mcp", "settings": settings})
    scripted.post("/api/connections/files/test", {})
    model = scripted.model.script("reader", DONE)
    scripted.post("/api/agents", {"slug": "reader", "name": "Reader", "model": model})
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("button", name="Start a run").click()
    page.get_by_role("radio", name="Reader").click()
    page.get_by_role("textbox", name="Task", exact=True).fill("Read it")
    page.get_by_role("checkbox", name="Files").check()
    page.get_by_role("combobox", name="Tools of Files").fill("read_text_file")
    page.get_by_role("option", name="read_text_file", exact=True).click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("region", name="Connections")).to_contain_text("Files read_text_file")
