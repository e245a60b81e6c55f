"""`make screenshots`: every page on a real server with the demo's data, in light, in dark and on a phone."""

import base64
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from tests.e2e.conftest import CHROMIUM, QUIET, TOKEN, running_server
from tests.e2e.scripted import scripted_model
from tests.e2e.showcase import DRAFT_RULES, House, furnish, people
from tests.e2e.showcase_channels import furnish_channels
from tests.e2e.showcase_connections import furnish_connections
from tests.e2e.showcase_files import furnish_files
from tests.e2e.showcase_workflows import furnish_workflows

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "screens"
QUALITY = 75
SCALE = 2
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "device_scale_factor": SCALE}
TOUCH: dict[str, Any] = {"is_mobile": True, "has_touch": True}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": SCALE, **TOUCH}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {**DESKTOP, "color_scheme": "light"},
    "dark": {**DESKTOP, "color_scheme": "dark"},
    "phone": {**PHONE, "color_scheme": "light"},
}
PHONE_WIDTH = 768
Keep = Callable[[], None]
Take = Callable[[Page, Keep], None]


def main() -> None:
    """All pictures, or only those whose names begin with one of the arguments."""
    only = tuple(sys.argv[1:]) or ("",)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.webp"):
        if old.name.startswith(only):
            old.unlink()
    with (
        tempfile.TemporaryDirectory() as folder,
        scripted_model() as model,
        running_server(Path(folder), OPENAI_BASE_URL=model.url) as server,
        people(server, model, TOKEN) as house,
        chromium() as browser,
    ):
        paths = furnish(house["ada"])
        furnish_channels(house["ada"])
        # What adds to the house comes after every picture that shows the whole of it.
        for furnished in (
            lambda: _shots(paths),
            lambda: _files(furnish_files(house["ada"])),
            lambda: _connections(furnish_connections(house["ada"], Path(folder, "shared"))),
            lambda: _workflows(furnish_workflows(house["ada"])),
            lambda: _events(house["ada"], house["ben"]),
        ):
            shots = {name: take for name, take in furnished().items() if name.startswith(only)}
            for look, options in LOOKS.items():
                context = new_context(browser, server.url, options)
                _shoot(context, house["ada"], look, shots)
                context.close()
    pictures = sorted(FOLDER.glob("*.webp"))
    size = sum(picture.stat().st_size for picture in pictures)
    print(f"{len(pictures)} pictures, {size / 1e6:.1f} MB, in {FOLDER.relative_to(Path.cwd())}")


@contextmanager
def chromium() -> Iterator[Browser]:
    arguments = [*QUIET, "--no-sandbox"] if os.geteuid() == 0 else QUIET
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=arguments)
        yield browser
        browser.close()


def new_context(browser: Browser, url: str, options: dict[str, Any]) -> BrowserContext:
    always = {"timezone_id": "UTC", "locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
    return browser.new_context(base_url=url, **always, **options)


def _shoot(context: BrowserContext, ada: House, look: str, shots: dict[str, Take]) -> None:
    page = context.new_page()
    if shots.keys() >= {"dashboard"}:
        _sign_in(page, lambda: keep_as(page, "sign-in", look))
    token = ada.client.headers["Authorization"].removeprefix("Bearer ")
    context.clear_cookies()
    assert context.request.post("/api/auth/sign-in", data={"token": token}).ok
    for name, take in shots.items():
        take(page, lambda name=name: keep_as(page, name, look))


def keep_as(page: Page, name: str, look: str) -> None:
    """As WebP, which the browser writes itself."""
    expect(page.locator("[aria-label=Loading]")).to_have_count(0)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(500)
    session = page.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    session.detach()
    (FOLDER / f"{name}-{look}.webp").write_bytes(base64.b64decode(taken["data"]))


def _shots(paths: dict[str, str]) -> dict[str, Take]:
    """Each picture's name, and how it is taken."""
    return {
        "dashboard": _at("/"),
        "inbox": _at("/inbox"),
        "inbox-empty": _empty_inbox,
        "inbox-batch": _batch,
        "inbox-undo": _undo(paths["ask-diff"]),
        "inbox-offline": _offline(paths["ask-approval"]),
        **{name: _at(path) for name, path in paths.items()},
        "ask-edit": _at(paths["ask-approval"], _edit),
        "palette": _palette,
        "runs": _at("/runs"),
        "start": _at("/runs?start=competitive-analysis"),
        "agents": _at("/agents"),
        "agent": _at("/agents/competitive-analysis"),
        "agent-tools": _autonomy_and_tools,
        "rules": _at("/rules"),
        "rules-suggestions": _at("/rules?tab=suggestions"),
        "rules-figures": _at("/rules?tab=figures"),
        "rules-simulate": _at("/rules", _simulate),
        "audit": _at("/audit"),
        "deliverables": _at("/deliverables"),
        "deliverable": _at("/deliverables", _open_deliverable),
        "settings": _at("/settings"),
        "settings-members": _at("/settings?section=members"),
        "settings-notifications": _at("/settings?section=notifications", _quiet_hours),
        "channels": _at("/settings?section=channels"),
        "channel-slack": _at("/settings?section=channels&add=slack"),
        "deliveries": _at("/settings?section=channels&view=deliveries", _open_failed_delivery),
    }


def _files(paths: dict[str, str]) -> dict[str, Take]:
    """What agents read, keep and make."""
    return {
        "knowledge": _at(paths["knowledge"]),
        "knowledge-search": _at(f"{paths['knowledge']}?q=refunds"),
        "memory": _at(paths["memory"]),
        "files": _at(paths["files"], _open_file),
        "run-undo": _at(paths["files"], _undo_since),
    }


def _connections(paths: dict[str, str]) -> dict[str, Take]:
    """The outside systems that agents work with."""
    return {
        "connections": _at(paths["connections"]),
        "connection-choose": _at("/connections?add=any"),
        "connection": _at(paths["connection"], _open_tool),
        "start-connections": _at("/runs?start=competitive-analysis", _grant),
    }


def _workflows(paths: dict[str, str]) -> dict[str, Take]:
    """Agents in sequence: the list, the canvas, a sample, a run that waits on its node, and what runs by the clock."""
    return {
        "workflows": _at("/workflows"),
        "workflow": _at(paths["workflow"], _choose_step),
        "workflow-problems": _at(paths["workflow-problems"]),
        "workflow-twenty": _at(paths["workflow-twenty"]),
        "workflow-test": _at(paths["workflow"], _try_sample),
        "workflow-run": _at(paths["workflow-run"]),
        "workflow-run-failed": _at(paths["workflow-run-failed"]),
        "schedules": _at("/schedules"),
        "schedule": _at("/schedules", _add_schedule),
    }


def _events(ada: House, ben: House) -> dict[str, Take]:
    """Pictures of something that happens while the page is open."""
    return {
        "ask-settled": _settled_elsewhere(ada, ben),
        "arrival-modal": _arrival_modal(ada),
        "arrival-toast": _arrival_toast(ada),
    }


def _sign_in(page: Page, keep: Keep) -> None:
    page.goto("/sign-in")
    expect(page.get_by_role("heading", name="Sign in to Signoff")).to_be_visible()
    keep()


def _at(path: str, prepare: Callable[[Page], None] = lambda page: None) -> Take:
    def take(page: Page, keep: Keep) -> None:
        _open(page, path)
        prepare(page)
        keep()

    return take


def _open(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("main, [role=main]").first).to_be_visible()
    expect(page.locator("[aria-label=Loading]")).to_have_count(0)
    page.wait_for_timeout(400)


def _approve(page: Page) -> Locator:
    return page.locator("article[data-ask]").last.get_by_role("button", name="Approve")


def _empty_inbox(page: Page, keep: Keep) -> None:
    nothing: dict[str, Any] = {"items": [], "next_cursor": None, "total": 0}
    page.route("**/api/asks?*", lambda route: route.fulfill(json=nothing))
    page.route("**/api/asks/count*", lambda route: route.fulfill(json={"pending": 0, "by_kind": {}, "high_risk": 0}))
    _open(page, "/inbox")
    keep()
    page.unroute_all()


def _batch(page: Page, keep: Keep) -> None:
    _open(page, "/inbox")
    rows = page.get_by_role("region", name="Open asks").get_by_role("listitem")
    # They show themselves only to a mouse.
    for row in rows.all()[:2]:
        row.get_by_role("checkbox", include_hidden=True).evaluate("box => box.click()")
    page.get_by_role("toolbar", name="Selected asks").get_by_role("button", name="Approve").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    keep()


def _undo(path: str) -> Take:
    def take(page: Page, keep: Keep) -> None:
        _open(page, path)
        _approve(page).click()
        keep()
        page.get_by_role("button", name="Undo").first.click()

    return take


def _offline(path: str) -> Take:
    def take(page: Page, keep: Keep) -> None:
        # A stream that is open would not notice.
        page.route("**/api/events*", lambda route: route.abort())
        _open(page, path)
        page.context.set_offline(True)
        _approve(page).click()
        page.get_by_role("button", name="Send now").first.click()
        expect(page.get_by_role("region", name="Decisions on their way")).to_contain_text("saved here")
        keep()
        page.get_by_role("button", name="Undo").first.click()
        page.context.set_offline(False)
        page.unroute_all()

    return take


def _edit(page: Page) -> None:
    page.get_by_role("button", name="Edit").first.click()
    page.get_by_role("textbox", name="Path").fill("reports/competitive-analysis.md")
    expect(page.get_by_text("Your changes")).to_be_visible()


def _settled_elsewhere(ada: House, ben: House) -> Take:
    def take(page: Page, keep: Keep) -> None:
        ask = ada.asked("assistant", "Notes on the new office")
        _open(page, f"/asks/{ask['id']}")
        expect(_approve(page)).to_be_visible()
        ben.answer(ask, decision="deny", note="The lease is not signed yet")
        expect(page.get_by_text("The lease is not signed yet").first).to_be_visible()
        keep()
        ada.forget(ask["run_id"])

    return take


def _arrival_modal(ada: House) -> Take:
    def take(page: Page, keep: Keep) -> None:
        ask = ada.asked("competitive-analysis", "Compare the vendors of last year")
        _open(page, f"/runs/{ask['run_id']}")
        ada.answer(ask, decision="approve")
        expect(page.get_by_role("dialog").get_by_text("Who will read this report?").first).to_be_visible()
        keep()
        ada.forget(ask["run_id"])

    return take


def _arrival_toast(ada: House) -> Take:
    def take(page: Page, keep: Keep) -> None:
        _open(page, "/runs")
        ask = ada.asked("assistant", "Notes on the new office")
        expect(page.get_by_text("Approval from Assistant")).to_be_visible()
        keep()
        ada.forget(ask["run_id"])

    return take


def _palette(page: Page, keep: Keep) -> None:
    _open(page, "/runs")
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("listbox", name="Commands").get_by_role("option").first).to_be_visible()
    keep()


def _autonomy_and_tools(page: Page, keep: Keep) -> None:
    usual = page.viewport_size
    assert usual
    page.set_viewport_size({"width": usual["width"], "height": 1160})
    _open(page, "/agents/competitive-analysis")
    page.get_by_role("region", name="When it asks").evaluate("part => part.scrollIntoView({block: 'start'})")
    keep()
    page.set_viewport_size(usual)


def _simulate(page: Page) -> None:
    page.get_by_role("textbox", name="Rules in YAML").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(DRAFT_RULES)
    simulate = page.get_by_role("region", name="Simulate")
    expect(simulate.get_by_role("button", name="Simulate")).to_be_enabled()
    simulate.get_by_role("button", name="Simulate").click()
    expect(simulate.get_by_role("listitem").first).to_be_visible()
    simulate.evaluate("part => part.scrollIntoView({block: 'nearest'})")


def _quiet_hours(page: Page) -> None:
    page.get_by_role("switch", name="Quiet hours").click()
    expect(page.get_by_label("Time zone")).to_be_visible()


def _open_failed_delivery(page: Page) -> None:
    failed = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Send again")).first
    failed.get_by_role("button", expanded=False).click()
    expect(failed.get_by_role("list", name="Tries")).to_be_visible()


def _open_deliverable(page: Page) -> None:
    page.get_by_role("main").get_by_role("button", name="competitive-analysis.md").first.click()
    expect(page.get_by_role("dialog").get_by_role("link", name="Download").last).to_be_visible()


def _open_file(page: Page) -> None:
    _show_part(page, "Files")
    page.get_by_role("region", name="Files").get_by_role("button", name="input/trips.csv").click()
    expect(page.get_by_role("dialog").get_by_role("cell", name="Oslo")).to_be_visible()


def _open_tool(page: Page) -> None:
    tools = page.get_by_role("region", name="Tools")
    tools.get_by_role("button", name="write_file").click()
    tools.evaluate("part => part.scrollIntoView({block: 'start'})")


def _grant(page: Page) -> None:
    files = page.get_by_role("dialog").get_by_role("checkbox", name="Team files")
    files.check()
    files.evaluate("box => box.scrollIntoView({block: 'center'})")


def _choose_step(page: Page) -> None:
    if page.viewport_size and page.viewport_size["width"] >= PHONE_WIDTH:
        page.locator(".react-flow__node").nth(1).click()
        page.wait_for_timeout(400)


def _try_sample(page: Page) -> None:
    page.get_by_role("button", name="Test").click()
    page.get_by_role("dialog").get_by_role("textbox").first.fill("I need a refund for my recent purchase")
    page.wait_for_timeout(600)


def _add_schedule(page: Page) -> None:
    page.get_by_role("button", name="Add a schedule").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Task").fill("Collect what customers wrote")
    expect(dialog.get_by_role("list", name="Next runs").get_by_role("listitem")).to_have_count(5)


def _undo_since(page: Page) -> None:
    _show_part(page, "Thread")
    page.get_by_role("button", name="Write reports/trips.md").first.click()
    page.get_by_role("button", name="Undo all since this").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Undo all")).to_be_enabled()


def _show_part(page: Page, name: str) -> None:
    """On a phone the parts of a run's page are tabs."""
    tab = page.get_by_text(name, exact=True).first
    if (page.viewport_size or {})["width"] < PHONE_WIDTH:
        tab.click()


if __name__ == "__main__":
    main()
