"""A workflow's webhook: turned on, its secret seen once, renewed and turned off."""

import httpx
import pytest
from playwright.sync_api import APIRequestContext, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server
from tests.e2e.flows import checked


@pytest.mark.slow
def test_the_secret_is_shown_once_and_renewing_it_ends_the_old_one(
    page: Page, api: APIRequestContext, server: Server
) -> None:
    step = {"id": "read", "tool": "read_file", "input": {"path": {"const": "a.txt"}}}
    checked(api.post("/api/workflows", data={"slug": "hooked", "name": "Hooked", "steps": [step]}))

    def status(secret: str) -> int:
        headers = {"X-Signoff-Secret": secret}
        return httpx.post(f"{server.url}/hooks/workflows/hooked", headers=headers).status_code

    page.goto("/workflows/hooked")
    page.get_by_role("button", name="Webhook").click()
    dialog = page.get_by_role("dialog", name="Webhook")
    dialog.get_by_role("button", name="Turn on").click()
    shown = dialog.get_by_role("region", name="Secret").locator("code")
    first = shown.inner_text()
    expect(dialog.get_by_role("region", name="Example")).to_contain_text("/hooks/workflows/hooked")
    expect(dialog.get_by_role("region", name="Example")).not_to_contain_text(first)
    check_light_and_dark(page)
    assert status(first) == 202
    dialog.get_by_role("button", name="Renew secret").click()
    page.get_by_role("button", name="Renew", exact=True).click()
    expect(shown).not_to_have_text(first)
    second = shown.inner_text()
    assert (status(first), status(second)) == (401, 202)
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Webhook").click()
    expect(dialog).to_contain_text("It was shown once")
    expect(dialog).not_to_contain_text(second)
    dialog.get_by_role("button", name="Turn off").click()
    page.get_by_role("dialog", name="Turn the webhook off?").get_by_role("button", name="Turn off").click()
    expect(dialog.get_by_role("button", name="Turn on")).to_be_visible()
    assert status(second) == 401
