"""`make screenshots`: every page on a real server with the demo's data, in light, in dark and on a phone."""

import base64
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.conftest import CHROMIUM, QUIET, TOKEN, running_server, signed_in
from tests.e2e.flows import some_answer
from tests.e2e.scripted import FORM, STEPS, TOOLS, Scripted, question, scripted_model
from tests.wire import DONE, call, fails, says

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "screens"
QUALITY = 82
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {**DESKTOP, "color_scheme": "light"},
    "dark": {**DESKTOP, "color_scheme": "dark"},
    "phone": {**PHONE, "color_scheme": "light"},
}
PEOPLE = {"Ana Torres": "admin", "Ben Okafor": "member", "Chloe Lindqvist": "approver", "Dev Patel": "viewer"}
RULES = """\
version: "1.0"

checkpoints:
  - name: "Messages by two"
    description: "What leaves the house is read twice"
    trigger:
      tool: send_message
      confidence: "< 0.95"
    action:
      require_approval_count: 2
    examples:
      match: [{confidence: 0.9}]
      no_match: [{confidence: 0.99}]

auto_approval:
  enabled: true
  rules:
    - name: "Small refunds"
      conditions:
        operation_type: refund
        data_threshold: {field: amount, operator: "<=", value: 50}
        confidence: ">= 0.9"
      action: {auto_approve: true, notify: true}
"""
SUPPLIERS = [
    {"id": "fast", "label": "Courier", "value": "courier", "description": "There tomorrow, four times the price."},
    {"id": "post", "label": "Registered post", "value": "post", "description": "Three days, with a receipt."},
]
# What each task makes the scripted agent say first; then it completes.
SAYING: dict[str, dict[str, Any]] = {
    "Print the name cards": says("", question("What goes on the card?", "form", schema=FORM)),
    "Send the signed contract": says(
        "The contract is signed and scanned.",
        question("How should the contract be sent?", "choice", options=SUPPLIERS, context="Acme waits for it."),
    ),
    "Invite the speakers": says(
        "",
        call(
            "request_review",
            {
                "phase": "draft",
                "summary": "The **invitation** is written and the list has 14 names.\n\n- 9 were here last year\n"
                "- 5 are new",
                "next": "Send the invitations",
            },
        ),
    ),
    "Read the archive of 2019": says(
        "",
        call("request_budget", {"credits": 50, "iterations": 20, "why": "212 of 640 letters are read. All of them "
             "mention the lease, so the rest is worth reading."}),
    ),
    "Fetch the exchange rates": says(
        "",
        question(
            "The rates could not be fetched: the source does not answer.",
            "choice",
            type="error_recovery",
            options=[
                {"id": "wait", "label": "Try again in an hour", "value": "wait"},
                {"id": "old", "label": "Use yesterday's rates", "value": "old", "description": "0.4 % off at most."},
            ],
        ),
    ),
    "Order paper": says("", question("How many boxes of paper?", "number", defaultResponse=3)),
    "Tidy the drafts": says(
        "Three steps, and nothing is gone before you say so.",
        call("propose_plan", {"summary": "Keep the report, put the draft away, remove the old one.", "steps": STEPS}),
    ),
    "Answer the landlord": says("", question("Which of the two flats is it about?", "text")),
    "Look up the tariff": fails(400, "The request was refused"),
}  # fmt: skip


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.webp"):
        old.unlink()
    with (
        tempfile.TemporaryDirectory() as folder,
        scripted_model() as model,
        running_server(Path(folder), OPENAI_BASE_URL=model.url) as server,
        httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=40) as client,
        _chromium() as browser,
    ):
        paths = _seed(Scripted(client, model))
        for look, options in LOOKS.items():
            context = _context(browser, server.url, options)
            _shoot(context, look, paths)
            context.close()
    pictures = sorted(FOLDER.glob("*.webp"))
    size = sum(picture.stat().st_size for picture in pictures)
    print(f"{len(pictures)} pictures, {size / 1e6:.1f} MB, in {FOLDER.relative_to(Path.cwd())}")


@contextmanager
def _chromium() -> Iterator[Browser]:
    arguments = [*QUIET, "--no-sandbox"] if os.geteuid() == 0 else QUIET
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=arguments)
        yield browser
        browser.close()


def _context(browser: Browser, url: str, options: dict[str, Any]) -> BrowserContext:
    always = {"timezone_id": "UTC", "locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
    return browser.new_context(base_url=url, **always, **options)


def _seed(house: Scripted) -> dict[str, str]:
    """Ended runs, people, rules, then one open ask of every kind. Returns where the interesting ones are."""
    waiting = house.get("/api/runs")["items"][0]["id"]
    finished = _worked_off(house, "competitive-analysis", "Compare the tools that we pay for twice")
    _worked_off(house, "assistant", "Write down what we decided about the launch date")
    _worked_off(house, "launch-plan", "Launch version 1.9")
    _worked_off(house, "support-reply", "Ben asks where his invoice is", "deny")
    _people(house)
    _office(house)
    version = house.get("/api/rules")["version"]
    saved = house.client.put("/api/rules", json={"yaml": RULES, "version": version, "note": "Messages need two"})
    assert saved.is_success, saved.text
    asks = {
        "approval": house.ask(waiting),
        "signatures": _asked(house, "support-reply", "Ada asks where her refund is. Write a friendly reply."),
        "plan": _asked(house, "launch-plan", "Plan the launch of version 2 and announce it."),
        "question": _asked(house, "office", "Send the signed contract"),
        "form": _asked(house, "office", "Print the name cards"),
        "number": _asked(house, "office", "Order paper"),
        "milestone": _asked(house, "office", "Invite the speakers"),
        "budget": _asked(house, "office", "Read the archive of 2019"),
        "recovery": _asked(house, "office", "Fetch the exchange rates"),
        "clarification": _asked(house, "front-desk", "Answer the landlord"),
    }
    _start(house, "office", "Look up the tariff")
    cancelled = _start(house, "assistant", "Notes on the old office")
    house.ask(cancelled)
    house.post(f"/api/runs/{cancelled}/cancel", {})
    paths = {f"ask-{kind}": f"/asks/{ask['id']}" for kind, ask in asks.items()}
    return paths | {"run": f"/runs/{waiting}", "run-ended": f"/runs/{finished}"}


def _start(house: Scripted, agent: str, task: str) -> str:
    return house.post("/api/runs", {"agent": agent, "task": task})["id"]


def _asked(house: Scripted, agent: str, task: str) -> dict[str, Any]:
    return house.ask(_start(house, agent, task))


def _worked_off(house: Scripted, agent: str, task: str, decision: str = "approve") -> str:
    """A run that has ended, with every question answered and every request decided alike."""
    run = _start(house, agent, task)
    while house.get(f"/api/runs/{run}")["ended_at"] is None:
        for ask in house.get("/api/asks", run=run, status="pending")["items"]:
            answer = {"decision": decision}
            if decision == "deny":
                answer["note"] = "Invoices are sent by the office"
            if ask["kind"] in {"question", "clarification"}:
                answer = {"decision": "respond", "value": some_answer(ask)}
            house.client.post(f"/api/asks/{ask['id']}/answer", json=answer)
    return run


def _people(house: Scripted) -> None:
    emails = {name: f"{name.split()[0].lower()}@example.com" for name in PEOPLE}
    for name, role in PEOPLE.items():
        house.post("/api/members", {"email": emails[name], "name": name, "role": role})
    house.post("/api/groups", {"name": "finance", "members": list(emails.values())[:3]})


def _office(house: Scripted) -> None:
    """Two agents that ask what their task makes them ask."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if any(message["role"] == "assistant" for message in request["messages"]):
            return DONE
        text = json.dumps(request["messages"])
        return next((said for task, said in SAYING.items() if task in text), DONE)

    model = house.model.play("office", answer)
    common = {"model": model, "tools": TOOLS, "category": "operations", "autonomy": "approve_high_risk"}
    told = "You run the office. You write plainly, and you ask before anything leaves the house."
    office = {"slug": "office", "name": "Office", "title": "Letters, orders and appointments", "instructions": told}
    desk = {"slug": "front-desk", "name": "Front desk", "title": "Asks what is meant first", "clarify": True}
    house.post("/api/agents", common | office | {"description": "Does what an office does, and asks first."})
    house.post("/api/agents", common | desk | {"description": "Makes sure that a task is understood."})


def _edit(page: Page) -> None:
    page.get_by_role("button", name="Edit").first.click()
    page.get_by_role("textbox", name="Path").fill("reports/competitive-analysis.md")
    expect(page.get_by_text("What you changed")).to_be_visible()


def _open_deliverable(page: Page) -> None:
    page.get_by_role("main").get_by_role("button", name="competitive-analysis.md").first.click()
    expect(page.get_by_role("dialog").get_by_role("link", name="Download")).to_be_visible()


def _nothing(page: Page) -> None:
    pass


def _shots(paths: dict[str, str]) -> dict[str, tuple[str, Callable[[Page], None]]]:
    """Each picture's name, where it is taken, and what is done before."""
    shots: dict[str, tuple[str, Callable[[Page], None]]] = {
        "dashboard": ("/", _nothing),
        "inbox": ("/inbox", _nothing),
        **{name: (path, _nothing) for name, path in paths.items()},
        "ask-edit": (paths["ask-approval"], _edit),
        "runs": ("/runs", _nothing),
        "start": ("/runs?start=competitive-analysis", _nothing),
        "agents": ("/agents", _nothing),
        "agent": ("/agents/competitive-analysis", _nothing),
        "rules": ("/rules", _nothing),
        "rules-figures": ("/rules?tab=figures", _nothing),
        "audit": ("/audit", _nothing),
        "deliverables": ("/deliverables", _nothing),
        "deliverable": ("/deliverables", _open_deliverable),
        "settings": ("/settings", _nothing),
        "settings-members": ("/settings?section=members", _nothing),
    }
    return shots


def _shoot(context: BrowserContext, look: str, paths: dict[str, str]) -> None:
    page = context.new_page()
    page.goto("/sign-in")
    expect(page.get_by_role("heading", name="Sign in to Signoff")).to_be_visible()
    _keep(page, "sign-in", look)
    page.close()
    page = signed_in(context)
    for name, (path, prepare) in _shots(paths).items():
        page.goto(path)
        expect(page.locator("main, [role=main]").first).to_be_visible()
        expect(page.locator("[aria-label=Loading]")).to_have_count(0)
        page.wait_for_timeout(400)
        prepare(page)
        _keep(page, name, look)


def _keep(page: Page, name: str, look: str) -> None:
    """As WebP, which the browser writes itself."""
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(300)
    session = page.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    session.detach()
    (FOLDER / f"{name}-{look}.webp").write_bytes(base64.b64decode(taken["data"]))


if __name__ == "__main__":
    main()
