"""Whatever an agent can write is planted with characters that hide something; no page shows them raw."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from signoff.kit.text import deceptive
from tests.e2e.conftest import Server
from tests.e2e.flows import ask_card
from tests.e2e.scripted import Scripted, question
from tests.wire import call, says

NAME = "inv\u202etxt.exe"
ALIKE = "billing@p\u0430ypal.com"
# For lines, and for texts that may have many.
LINE = f"{NAME} z\u200bero \u2066iso\u2069 \U000e0041tag {ALIKE}"
TEXT = f"{LINE}{chr(10) * 301}the end"
OPTIONS = [
    {"id": "a", "label": f"One {LINE}", "value": f"a {LINE}", "description": LINE},
    {"id": "b", "label": f"Two {LINE}", "value": f"b {LINE}", "description": LINE},
]
STEPS = [
    {"id": "1", "tool": "write_file", "arguments": {"path": NAME, "content": TEXT}, "purpose": f"Write {LINE}"},
    {"id": "2", "tool": "delete_file", "arguments": {"path": NAME}, "purpose": f"Delete {LINE}"},
]
FORM = {
    "type": "object",
    "properties": {"to": {"type": "string", "title": f"To {LINE}", "description": LINE}},
    "required": ["to"],
}
WHY = {"_reasoning": f"Because {TEXT}", "_confidence": 0.5}
ASKING: dict[str, list[dict[str, Any]]] = {
    "approval": [call("write_file", {"path": NAME, "content": TEXT, **WHY})],
    "markdown": [
        call("write_file", {"path": "a.md", "content": f"# {LINE}\n\n- [{LINE}](https://p\u0430ypal.com/x)\n"})
    ],
    "batch": [call("delete_file", {"path": f"{number} {NAME}"}) for number in range(3)],
    "text": [question(f"Who? {TEXT}", "text", context=f"Context {TEXT}", defaultResponse=LINE)],
    "choice": [question(f"How? {LINE}", "choice", options=OPTIONS)],
    "form": [question(f"What? {LINE}", "form", schema=FORM, defaultResponse={"to": LINE})],
    "plan": [call("propose_plan", {"summary": f"Plan {TEXT}", "steps": STEPS})],
    "milestone": [call("request_review", {"phase": LINE, "summary": TEXT, "next": LINE})],
    "budget": [call("request_budget", {"credits": 50, "why": TEXT})],
    "recovery": [question(f"Broken {LINE}", "choice", type="error_recovery", options=OPTIONS)],
}
FIELDS: dict[str, dict[str, Any]] = {"plan": {"mode": "plan"}}
# Whatever folds, opened.
OPEN = """() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const button of document.querySelectorAll("main button[aria-expanded=false]:not([aria-haspopup])"))
    button.click();
}"""
RAW = """(hidden) => {
  const odd = new RegExp(hidden, "u");
  const found = [];
  const skipped = new Set(["SCRIPT", "STYLE", "TEXTAREA", "NOSCRIPT"]);
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!skipped.has(node.parentElement?.tagName) && odd.test(node.data))
      found.push(`${node.parentElement?.outerHTML.slice(0, 200)}`);
  for (const element of document.querySelectorAll("*"))
    for (const name of ["title", "aria-label", "placeholder", "alt", "label", "aria-description"])
      if (odd.test(element.getAttribute(name) ?? "")) found.push(`${name} of ${element.outerHTML.slice(0, 200)}`);
  if (odd.test(document.title)) found.push("the title of the page");
  return found;
}"""


def hidden_class() -> str:
    return "[" + re.sub(r"[0-9a-f]+", r"\\u{\g<0>}", deceptive.HIDDEN).replace(" ", "") + "]"


def seen(page: Page, *texts: str | re.Pattern[str]) -> None:
    """The page shows what was planted, and nothing of it raw."""
    expect(page.locator("[aria-label=Loading]")).to_have_count(0)
    for text in texts or ("\\u202e",):
        expect(page.locator(".unseen", has_text=text).first).to_be_attached()
    page.wait_for_timeout(300)
    assert page.evaluate(RAW, hidden_class()) == [], page.url


@pytest.fixture(scope="module")
def planted(scripted: Scripted) -> dict[str, Any]:
    """Asks of every kind, a run that has ended, and a lesson."""
    named = {"name": f"Clerk {NAME}", "title": LINE, "description": LINE, "instructions": TEXT}
    asks = {
        kind: scripted.ask(
            scripted.start(says(f"I say {TEXT}", *calls), task=f"Task {TEXT}", **named, **FIELDS.get(kind, {}))
        )
        for kind, calls in ASKING.items()
    }
    progress = {"message": f"Now {LINE}", "percentage": 40, "current_step": LINE, "completed_steps": [LINE]}
    ended = scripted.start(
        says(f"I say {TEXT}", call("report_progress", progress), call("read_file", {"path": NAME})),
        says("", call("create_deliverable", {"name": NAME, "type": "code", "content": TEXT, "description": LINE})),
        says("", call("create_deliverable", {"name": f"{LINE}.md", "type": "markdown", "content": TEXT})),
        says("", call("create_deliverable", {"name": "a.csv", "type": "csv", "content": f"{NAME},b\n{LINE},2\n"})),
        says(
            "", call("complete_task", {"summary": TEXT, "output": {"file": NAME, "to": [LINE]}, "key_findings": [LINE]})
        ),
        task=f"Ended {LINE}",
        autonomy="full",
        **named,
    )
    scripted.client.get(f"/api/runs/{ended}", params={"wait": 30})
    denied = scripted.ask(scripted.start(says("", call("delete_file", {"path": NAME, **WHY})), task=LINE, **named))
    scripted.post(f"/api/asks/{denied['id']}/answer", {"decision": "deny", "note": f"Not {LINE}"})
    return {"asks": asks, "ended": ended, "denied": denied}


# Between them they show every part that an ask can have.
RICH = ("approval", "batch", "form", "plan")


@pytest.mark.parametrize("kinds", [RICH, pytest.param([*ASKING], marks=pytest.mark.slow)], ids=["rich", "all"])
def test_an_ask_shows_what_is_hidden_in_it(page: Page, planted: dict[str, Any], kinds: Sequence[str]) -> None:
    for kind in kinds:
        ask = planted["asks"][kind]
        page.goto(f"/asks/{ask['id']}")
        expect(ask_card(page, ask)).to_be_visible()
        page.evaluate(OPEN)
        seen(page, "\\u202e", "looks like billing@paypal.com but is not")
        if kind in ("approval", "plan"):
            expect(page.locator(".unseen", has_text="empty lines").first).to_be_attached()


@pytest.mark.slow
def test_what_is_edited_stays_as_it_is_and_is_shown_beside(page: Page, planted: dict[str, Any]) -> None:
    ask = planted["asks"]["approval"]
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Edit").click()
    field = card.get_by_role("textbox", name="Path")
    expect(field).to_have_value(NAME)
    expect(card.get_by_text("Not everything here is what it looks like.").locator("..")).to_contain_text(
        "inv\\u202etxt.exe"
    )
    seen(page)
    for language in ("JSON", "YAML"):
        card.get_by_text(language, exact=True).click()
        expect(card.locator(".cm-content .unseen").first).to_have_text("\\u202e")
        seen(page)


PAGES: dict[str, Callable[[dict[str, Any]], str]] = {
    "the inbox": lambda _: "/inbox",
    "the dashboard": lambda _: "/",
    "the runs": lambda _: "/runs",
    "a run that waits": lambda planted: f"/runs/{planted['asks']['plan']['run_id']}",
    "a run that has ended": lambda planted: f"/runs/{planted['ended']}",
    "a run with a refusal": lambda planted: f"/runs/{planted['denied']['run_id']}",
    "a settled ask": lambda planted: f"/asks/{planted['denied']['id']}",
    "the deliverables": lambda _: "/deliverables",
    "the agents": lambda _: "/agents",
    "an agent": lambda planted: f"/agents/{planted['asks']['plan']['agent']}",
    "the record": lambda _: "/audit",
    "the lessons": lambda _: "/rules?tab=lessons",
    "starting a run": lambda planted: f"/runs?start={planted['asks']['plan']['agent']}",
}


@pytest.mark.slow
def test_every_page_shows_what_is_hidden(page: Page, planted: dict[str, Any]) -> None:
    for path in PAGES.values():
        page.goto(path(planted))
        seen(page)
        page.evaluate(OPEN)
        seen(page)


def test_deliverables_show_what_is_hidden_in_them(page: Page, scripted: Scripted, planted: dict[str, Any]) -> None:
    made = scripted.get("/api/deliverables", run=planted["ended"], limit=200)["items"]
    assert len(made) == 3
    for item in made:
        page.goto(f"/deliverables?view={item['id']}")
        expect(page.get_by_role("dialog")).to_be_visible()
        seen(page)
        response = scripted.client.get(f"/api/deliverables/{item['id']}/content", params={"download": True})
        assert "%E2%80%AE" not in response.headers["content-disposition"]


@pytest.mark.slow
def test_on_a_phone_nothing_is_pushed_out(phone: Page, planted: dict[str, Any]) -> None:
    phone.goto(f"/asks/{planted['asks']['approval']['id']}")
    seen(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_writing_from_right_to_left_reads_well(page: Page, scripted: Scripted, server: Server) -> None:
    run = scripted.start(says("", question("שלום עולם? مرحبا", "text")), task="שלום")
    page.goto(f"/asks/{scripted.ask(run)['id']}")
    expect(page.locator("bdi", has_text="שלום עולם").first).to_be_visible()
    expect(page.locator("article .unseen")).to_have_count(0)
