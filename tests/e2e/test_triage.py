"""Many asks decided at once: 300 of 12 agents, worked down to the ten exceptions in at most 40 actions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server
from tests.e2e.scripted import Scripted
from tests.e2e.seeds import change_ask, seed_refunds

AGENTS, EACH, MOST = 12, 25, 40
# How many large ones each of these agents has among its refunds: ten in all.
LARGE = {0: 3, 4: 3, 7: 2, 11: 2}


@dataclass
class Hand:
    """Somebody who counts what they do."""

    page: Page
    actions: int = 0

    def click(self, what: Locator) -> None:
        self.actions += 1
        what.click()

    def press(self, key: str) -> None:
        self.actions += 1
        self.page.keyboard.press(key)


@pytest.fixture
def inbox(page: Page, server: Server, scripted: Scripted) -> Iterator[Page]:
    scripted.clear()
    ask = scripted.asking("approval")
    seed_refunds(server, ask["id"], AGENTS, EACH, LARGE)
    scripted.clear()
    page.goto("/inbox")
    # Long enough that no batch goes out before somebody has looked at it.
    page.evaluate("localStorage.setItem('signoff.undo-seconds', '60')")
    yield page
    deny_all(scripted)


def deny_all(scripted: Scripted) -> None:
    while left := scripted.get("/api/asks", status="pending", limit=200)["items"]:
        scripted.post("/api/asks/batch", {"ids": [each["id"] for each in left], "decision": "deny"})


def rows(page: Page) -> Locator:
    return page.get_by_role("region", name="Open asks").get_by_role("listitem")


def table(page: Page) -> Locator:
    return page.get_by_role("region", name="The ask").get_by_role("table")


def group(page: Page, agent: int) -> None:
    """Wait for the table of this agent."""
    expect(page.get_by_text(f"same agent (Refunds {agent})")).to_be_visible()
    expect(table(page)).to_be_visible()


def open_amounts(scripted: Scripted) -> list[int]:
    left = scripted.get("/api/asks", status="pending", limit=200)["items"]
    return sorted(each["arguments"]["amount"] for each in left)


def all_sent(page: Page) -> None:
    """Leaving the page sends what is held."""
    with page.expect_response(lambda response: response.url.endswith("/api/asks/batch")):
        page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    expect(page.get_by_label("Decisions on their way")).to_have_count(0)


@pytest.mark.slow
def test_three_hundred_are_worked_down_to_the_exceptions_by_mouse(inbox: Page, server: Server, scripted: Scripted):
    hand = Hand(inbox)
    hand.click(inbox.get_by_role("button", name="Filters"))
    hand.click(inbox.get_by_role("checkbox", name="Group similar"))
    for agent in range(AGENTS):
        group(inbox, agent)
        if agent in LARGE:
            hand.click(table(inbox).get_by_role("button", name="Amount"))
            expect(table(inbox).get_by_role("row").nth(1)).to_contain_text("50")
            for number in range(LARGE[agent]):
                hand.click(table(inbox).get_by_role("row").nth(1 + number).get_by_role("checkbox"))
            if agent == 0:
                check_light_and_dark(inbox)
        if agent == 1:
            change_ask(server, "Refund A-1-5")
        rest = EACH - LARGE.get(agent, 0)
        words = f"Approve the other {rest}" if agent in LARGE else f"Approve all {rest}"
        hand.click(inbox.get_by_role("button", name=words))
    # One undo takes back all of the last batch, and its exceptions are as they were.
    expect(inbox.get_by_text(f"Approved {EACH - LARGE[11]} of Refunds 11:")).to_be_visible()
    hand.click(inbox.get_by_role("button", name="Undo").last)
    group(inbox, 11)
    expect(table(inbox).get_by_role("row").nth(1)).to_contain_text("5010")
    expect(table(inbox).get_by_role("row").nth(1).get_by_role("checkbox")).to_be_checked()
    hand.click(inbox.get_by_role("button", name=f"Approve the other {EACH - LARGE[11]}"))
    all_sent(inbox)
    assert hand.actions <= MOST
    expect(inbox.get_by_text("24 approved, 1 left out.")).to_be_visible()
    expect(inbox.get_by_text("Refund A-1-5: This ask was changed")).to_be_visible()
    assert open_amounts(scripted) == sorted(
        [4711, *(5000 + 3 + 7 * at for count in LARGE.values() for at in range(count))]
    )


@pytest.mark.slow
def test_three_hundred_are_worked_down_to_the_exceptions_by_keyboard(inbox: Page, scripted: Scripted):
    hand = Hand(inbox)
    expect(inbox.get_by_role("region", name="Open asks").get_by_role("listitem").first).to_be_visible()
    hand.press("t")
    for agent in range(AGENTS):
        group(inbox, agent)
        if agent in LARGE:
            hand.press("2")
        elif agent > 0:
            # Pressed once more, the key that decided the last table decides nothing here.
            inbox.keyboard.press("a")
            expect(inbox.get_by_text("Press J to go through them, then A.")).to_be_visible()
            hand.press("j")
        for number in range(LARGE.get(agent, 0)):
            expect(inbox.locator("tr[data-cursor]")).to_contain_text(f"{5003 + 7 * (LARGE[agent] - 1 - number)}")
            hand.press("x")
        rest = EACH - LARGE.get(agent, 0)
        expect(inbox.get_by_role("button", name=f"{rest} A", exact=False).first).to_be_enabled()
        hand.press("a")
    expect(inbox.get_by_text(f"Approved {EACH - LARGE[11]} of Refunds 11:")).to_be_visible()
    hand.press("z")
    expect(inbox.get_by_role("button", name=f"Approve the other {EACH - LARGE[11]}")).to_be_enabled()
    all_sent(inbox)
    assert hand.actions <= MOST
    assert len(open_amounts(scripted)) == 10 - LARGE[11] + EACH


@pytest.mark.slow
def test_a_group_on_a_phone_is_stacked_rows(phone: Page, server: Server, scripted: Scripted):
    scripted.clear()
    ask = scripted.asking("approval")
    seed_refunds(server, ask["id"], 1, 3, {})
    scripted.clear()
    phone.goto("/inbox?grouped=true")
    phone.get_by_role("link", name="Refund · shop main").tap()
    first = phone.locator("tr[data-index='0']")
    expect(first).to_contain_text("Amount")
    first.get_by_role("checkbox").tap()
    check_light_and_dark(phone)
    expect(phone.get_by_role("button", name="Approve the other 2")).to_be_visible()
    phone.get_by_role("button", name="Approve the other 2").tap()
    phone.get_by_role("button", name="Send now").tap()
    expect(phone.get_by_text("2 approved.")).to_be_visible()
    deny_all(scripted)


@pytest.mark.slow
def test_a_batch_can_be_taken_back_and_names_what_it_left_out(page: Page, scripted: Scripted):
    scripted.clear()
    late = scripted.asking("approval")
    scripted.asking("approval")
    scripted.asking("plan")
    scripted.asking("text")
    page.goto("/inbox")
    expect(rows(page)).to_have_count(4)
    page.keyboard.press("x")
    rows(page).last.hover()
    expect(page.get_by_role("checkbox", name="Select Who should sign")).to_be_disabled()
    rows(page).nth(2).hover()
    expect(rows(page).nth(2).get_by_role("checkbox")).to_be_disabled()
    approve_both(page)
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(4)
    page.goto("/inbox")
    expect(rows(page)).to_have_count(4)
    page.keyboard.press("x")
    approve_both(page, meanwhile=lambda: scripted.post(f"/api/asks/{late['id']}/answer", {"decision": "deny"}))
    page.get_by_role("button", name="Send now").click()
    expect(page.get_by_text("1 approved, 1 left out.")).to_be_visible()
    expect(page.get_by_text("Write report.md: This ask was already denied")).to_be_visible()


def approve_both(page: Page, meanwhile: Callable[[], object] = lambda: None) -> None:
    page.get_by_role("button", name="Select all 2").click()
    page.get_by_role("toolbar", name="Selected asks").get_by_role("button", name="Approve").click()
    button = page.get_by_role("dialog").get_by_role("button", name="Approve 2 asks")
    expect(button).to_be_focused()
    meanwhile()
    button.click()
