"""The page of notices: what was sent to somebody, with simple questions answered in place."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.scripted import Scripted
from tests.wire import call, says


def test_notices_come_live_are_answered_in_place_and_read(page: Page, scripted: Scripted):
    page.goto("/notices?show=unread")
    expect(page.get_by_role("heading", name="You're all caught up")).to_be_visible()
    page.get_by_role("link", name="All", exact=True).click()
    lunch = call("send_message", {"channel": "general", "text": "Lunch at noon?"})
    run = scripted.start(says("", lunch), tools=["send_message"], autonomy="full")
    message = page.get_by_role("listitem").filter(has_text="Lunch at noon?").first
    expect(message).to_contain_text("#general")
    expect(page.get_by_role("link", name="Notices 1 unread").first).to_be_visible()
    ask = scripted.asking("boolean")
    scripted.post(f"/api/asks/{ask['id']}/assign", {"user": page.request.get("/api/me").json()["user"]["email"]})
    question = page.get_by_role("listitem").filter(has_text="Assigned to you").first
    expect(question.get_by_role("button", name="No", exact=True)).to_be_visible()
    check_light_and_dark(page)
    question.get_by_role("button", name="Yes", exact=True).click()
    assert scripted.settled(ask)["answer"]["value"] is True
    expect(question).to_contain_text("Answered")
    page.get_by_role("link", name="Unread", exact=True).click()
    expect(question).to_have_count(0)
    message.get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/runs/{run}"))
    expect(page.get_by_role("heading", name="Write the letter").first).to_be_visible()
    expect(page.get_by_role("link", name="Notices", exact=True).first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="You're all caught up")).to_be_visible()
