"""An answer that comes after its run ended for want of it is not lost: a new run begins with it."""

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Server, guarded, signed_in
from tests.e2e.flows import ask_card
from tests.e2e.scripted import Scripted
from tests.house import until


@pytest.mark.slow
def test_who_answers_too_late_starts_a_new_run_with_the_answer(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("text")
    with guarded(browser, server) as (context, guard):
        guard.allowed.append("409")
        page = signed_in(context)
        page.goto(f"/asks/{ask['id']}")
        card = ask_card(page, ask)
        card.get_by_role("textbox").fill("The head of sales")
        card.get_by_role("button", name="Send answer").click()
        scripted.post("/api/asks/expire", {"older_than_seconds": 0})
        assert scripted.settled(ask)["status"] == "expired"
        until(lambda: scripted.get(f"/api/runs/{ask['run_id']}")["status"] == "failed")
        page.get_by_role("button", name="Send now").first.click()
        late = page.get_by_role("alert").filter(has_text="Too late")
        late.get_by_role("button", name="Start a new run with this answer").click()
        expect(page.get_by_text("Previous run")).to_be_visible()
        expect(page.get_by_text("The head of sales").first).to_be_visible()
