"""An agent is put on a schedule: what it means is seen while it is typed, and it can be run, paused and deleted."""

import pytest
from playwright.sync_api import APIRequestContext, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import SignedIn
from tests.e2e.flows import checked


@pytest.mark.slow
def test_a_schedule_is_made_with_a_preview_run_paused_and_deleted(
    page: Page, admin: SignedIn, api: APIRequestContext
) -> None:
    # What is no cron expression is refused while it is typed.
    admin.guard.allowed.append("422")
    page.goto("/")
    page.get_by_role("link", name="Schedules").click()
    expect(page.get_by_role("heading", name="No schedules yet")).to_be_visible()
    page.get_by_role("button", name="Add a schedule").click()
    dialog = page.get_by_role("dialog", name="New schedule")
    dialog.get_by_label("Task").fill("Collect what is new")
    dialog.get_by_label("Name").fill("Morning news")
    dialog.get_by_label("How often").select_option("Every Monday at 9:00")
    expect(dialog.get_by_role("status")).to_contain_text("At 09:00 on Monday")
    dialog.get_by_label("Cron expression").fill("0 25 * * *")
    expect(dialog.get_by_role("status")).to_contain_text("bad hour")
    dialog.get_by_label("Cron expression").fill("30 7 * * 1-5")
    dialog.get_by_label("Time zone").select_option("Asia/Tokyo")
    expect(dialog.get_by_role("list", name="Next runs").get_by_role("listitem")).to_have_count(5)
    expect(dialog.get_by_role("list", name="Next runs")).to_contain_text("07:30")
    check_light_and_dark(page)
    dialog.get_by_role("button", name="Add the schedule").click()
    row = page.get_by_role("list", name="Schedules").get_by_role("listitem", name="Morning news")
    expect(row).to_contain_text("At 07:30 on Monday through Friday, Asia/Tokyo")
    expect(row).to_contain_text("Next in")
    (made,) = checked(api.get("/api/schedules"))["items"]
    assert (made["cron"], made["timezone"], made["task"]) == ("30 7 * * 1-5", "Asia/Tokyo", "Collect what is new")

    row.get_by_role("button", name="Run now: Morning news").click()
    expect(row.get_by_role("link", name="Last run")).to_be_visible()
    # What one sees and clicks is the track; the input itself has no size.
    row.locator("label").filter(has=page.get_by_role("switch", name="Morning news is on")).click()
    expect(row).to_contain_text("Paused")
    row.get_by_role("button", name="Edit Morning news").click()
    edit = page.get_by_role("dialog", name="Edit the schedule")
    edit.get_by_label("Name").fill("Evening news")
    edit.get_by_role("button", name="Save").click()
    row = page.get_by_role("listitem", name="Evening news")
    page.set_viewport_size({"width": 390, "height": 780})
    expect(row.get_by_role("button", name="Run now: Evening news")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_light_and_dark(page)
    row.get_by_role("button", name="Delete Evening news").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="No schedules yet")).to_be_visible()
