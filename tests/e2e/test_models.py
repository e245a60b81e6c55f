"""Connecting a model: what was found, whether it works, and what is said before a start."""

import re

import pytest
from playwright.sync_api import APIRequestContext, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.flows import checked
from tests.wire import Model, fails, says


@pytest.fixture(scope="module", autouse=True)
def offered(model: Model) -> None:
    """A list is kept for a while, so it is whole before anybody asks for it."""
    model.script("mine", says("works"))
    model.script("gone", fails(404, "There is no model by this name."))


@pytest.fixture
def keyless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)


@pytest.mark.slow
def test_a_model_is_tested_and_one_without_a_key_says_so_before_it_is_started(
    page: Page, api: APIRequestContext, keyless: None
):
    page.goto("/settings?section=models")
    ours = page.get_by_role("region", name="OpenAI")
    expect(ours).to_contain_text("Found OPENAI_BASE_URL")
    expect(ours).to_contain_text("openai-chat: Chat Completions")
    ours.get_by_label("Model").fill("openai-chat:mine")
    page.keyboard.press("Escape")
    ours.get_by_role("button", name="Test").click()
    expect(ours.get_by_role("status")).to_contain_text("Works, answered in")
    ours.get_by_label("Model").fill("openai-chat:gone")
    page.keyboard.press("Escape")
    ours.get_by_role("button", name="Test").click()
    expect(ours.get_by_role("status")).to_contain_text("There is no model by this name.")
    expect(ours.get_by_role("status")).to_contain_text("Check the model's name")
    missing = page.get_by_role("region", name="Anthropic")
    expect(missing).to_contain_text("export ANTHROPIC_API_KEY=…")
    check_light_and_dark(page)
    agent = {"slug": "keyless", "name": "Keyless", "model": "anthropic:claude-sonnet-5"}
    checked(api.post("/api/agents", data=agent))
    page.goto("/agents")
    expect(page.get_by_role("article", name="Keyless")).to_contain_text("No key for its model")
    page.get_by_role("article", name="Keyless").get_by_role("link", name="Start").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("ANTHROPIC_API_KEY")
    dialog.get_by_label("Task").fill("Do it anyway")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile(r"/runs/.+"))
    expect(page.get_by_text("Set ANTHROPIC_API_KEY").first).to_be_visible()


@pytest.mark.slow
def test_the_form_of_an_agent_offers_what_the_provider_lists(page: Page, keyless: None):
    page.goto("/agents/new")
    field = page.get_by_role("combobox", name="Model")
    field.fill("openai-chat:mi")
    expect(page.get_by_role("option", name="openai-chat:mine")).to_be_visible()
    field.fill("anthropic:claude")
    expect(page.get_by_role("region", name="Who it is")).to_contain_text("ANTHROPIC_API_KEY")
    page.keyboard.press("Escape")
    check_light_and_dark(page)
