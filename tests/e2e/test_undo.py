"""What was done is taken back on the page of its run."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.scripted import Scripted, write
from tests.wire import call, says


@pytest.mark.slow
def test_an_undo_shows_all_that_would_change_before_it_happens(page: Page, scripted: Scripted):
    writes = (says("", write("report.md", content=text)) for text in ("one\n", "two\n"))
    run = scripted.start(*writes, says("", call("complete_task", {"summary": "Written"})), autonomy="full")
    page.goto(f"/runs/{run}")
    expect(page.get_by_role("status", name="Status").get_by_text("Completed")).to_be_visible()
    page.get_by_role("button", name="Write report.md").last.click()
    page.get_by_role("button", name="Undo", exact=True).click()
    shown = page.get_by_role("dialog").get_by_role("region", name="What it would change")
    expect(shown).to_contain_text("Changes report.md")
    expect(shown).to_contain_text("+ one")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Write report.md").first.click()
    page.get_by_role("button", name="Undo all since this").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("2 calls are undone, the last one first")
    expect(shown.get_by_role("listitem")).to_contain_text(["Changes report.md", "Delete report.md"])
    check_light_and_dark(page)
    page.get_by_role("button", name="Undo all", exact=True).click()
    expect(page.get_by_role("region", name="Files").get_by_role("button", name="report.md")).to_have_count(0)
