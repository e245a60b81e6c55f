"""Documents are given and found, and what an agent keeps is put right."""

import re

import pytest
from playwright.sync_api import APIRequestContext, FilePayload, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import SignedIn
from tests.e2e.flows import checked

REFUNDS: FilePayload = {
    "name": "refunds.md",
    "mimeType": "text/markdown",
    "buffer": "# Refunds\nEnterprise customers of the café are paid back within 30 days.".encode(),
}
BROKEN: FilePayload = {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"no PDF at all"}


def test_documents_are_given_found_read_and_deleted(page: Page, admin: SignedIn, api: APIRequestContext):
    # One of the files is refused.
    admin.guard.allowed.append("422")
    page.goto("/")
    page.get_by_role("link", name="Knowledge").click()
    expect(page.get_by_role("heading", name="No documents yet")).to_be_visible()
    page.get_by_label("Files to add").set_input_files([REFUNDS, BROKEN])
    uploads = page.get_by_role("region", name="Uploads")
    expect(uploads).to_contain_text("refunds.md")
    expect(uploads.get_by_text("Added", exact=True)).to_be_visible()
    expect(uploads.get_by_text("It is named .pdf but is no PDF.")).to_be_visible()
    documents = page.get_by_role("list", name="Documents")
    expect(documents.get_by_role("listitem")).to_have_count(1)
    check_light_and_dark(page)
    uploads.get_by_role("button", name="Close").click()
    page.get_by_label("Search documents").fill("cafe enterprise")
    expect(documents.locator("mark")).to_have_text(["Enterprise", "café"])
    expect(page).to_have_url(re.compile(r"q=cafe"))
    documents.get_by_role("button", name=re.compile("^refunds.md")).click()
    expect(page.get_by_role("dialog", name="refunds.md")).to_contain_text("paid back within 30 days")
    page.keyboard.press("Escape")
    documents.get_by_role("button", name="Delete refunds.md").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="No matches")).to_be_visible()
    assert checked(api.get("/api/documents"))["total"] == 0


@pytest.mark.slow
def test_an_agents_memory_is_added_to_changed_and_deleted(page: Page, api: APIRequestContext):
    agent = checked(api.get("/api/agents"))["items"][0]["slug"]
    page.goto(f"/agents/{agent}")
    page.get_by_role("link", name="Memory").click()
    page.get_by_role("button", name="Add a note").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Text").fill("Ann likes short reports.")
    dialog.get_by_label("Name").fill("style")
    dialog.get_by_role("button", name="Save").click()
    notes = page.get_by_role("list", name="Notes")
    expect(notes).to_contain_text("Ann likes short reports.")
    check_light_and_dark(page)
    notes.get_by_role("button", name="Edit: style").click()
    dialog.get_by_label("Text").fill("Ann likes reports of one page.")
    dialog.get_by_role("button", name="Save").click()
    expect(notes).to_contain_text("reports of one page")
    notes.get_by_role("button", name="Delete: style").click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="Nothing kept yet")).to_be_visible()
