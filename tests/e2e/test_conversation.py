"""People talk about an ask, and ask its agent, with the ask before their eyes."""

import pytest
from playwright.sync_api import APIRequestContext, Browser, Page, expect

from signoff.kit.ids import new_id
from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server, guarded
from tests.e2e.flows import ask_card
from tests.e2e.people import signed_in_as
from tests.e2e.scripted import Scripted, write
from tests.joining import join
from tests.wire import says

LABEL = "Comment, or ask the agent"


@pytest.mark.slow
def test_a_colleague_is_mentioned_and_the_agent_answers_while_nothing_is_decided(
    browser: Browser, server: Server, page: Page, api: APIRequestContext, scripted: Scripted
):
    name = f"z{new_id()[-8:]}"
    zoe = f"{name}@example.com"
    join(scripted.client, zoe, "approver", f"Zoe {name}")
    ask = scripted.ask(scripted.start(says("The letter is **for the tenants**.", write("letter.md"))))
    with guarded(browser, server) as (other, _):
        viewer = signed_in_as(other, api, "viewer")
        for each in (page, viewer):
            each.goto(f"/asks/{ask['id']}")
            expect(ask_card(each, ask).get_by_text("Nobody has said anything yet.")).to_be_visible()
        expect(ask_card(viewer, ask).get_by_role("button", name=LABEL)).to_have_count(0)
        ask_card(page, ask).get_by_role("button", name=LABEL).click()
        field = ask_card(page, ask).get_by_role("textbox", name=LABEL)
        expect(field).to_be_focused()
        # Letters that decide elsewhere are letters here.
        page.keyboard.type(f"aed, says @{name[:6]}")
        expect(page.get_by_role("option", name=f"Zoe {name}")).to_be_visible()
        page.keyboard.press("Enter")
        expect(field).to_have_value(f"aed, says @{zoe} ")
        page.keyboard.type("now")
        check_light_and_dark(page)
        page.keyboard.press("Control+Enter")
        expect(field).to_have_value("")
        for each in (page, viewer):
            expect(ask_card(each, ask).get_by_text(f"aed, says @Zoe {name} now")).to_be_visible()
        field.fill("For whom is it?")
        ask_card(page, ask).get_by_role("button", name="Ask the agent").click()
        for each in (page, viewer):
            reply = ask_card(each, ask).get_by_role("listitem").filter(has_text="Clerk")
            expect(reply).to_contain_text("The letter is for the tenants.")
            expect(reply.locator("strong", has_text="for the tenants")).to_be_visible()
    assert scripted.get(f"/api/asks/{ask['id']}")["status"] == "pending"
