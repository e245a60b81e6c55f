"""The page Rules: written with mistakes shown, tried on the past, saved, in force, stopped."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import APIRequestContext, Browser, Locator, Page, Route, expect

from signoff.kit.settings import Settings
from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import TOKEN, Server, guarded, serving, signed_in
from tests.e2e.flows import checked
from tests.e2e.people import signed_in_as
from tests.e2e.scripted import Scripted, write
from tests.wire import Model, says

RULE = """\
version: "1.0"
checkpoints:
  - name: "Reports by two"
    trigger:
      tool: write_file
    action:
      require_approval_count: 2
"""


@pytest.fixture(autouse=True)
def no_rules(api: APIRequestContext):
    """Every test begins without rules."""
    checked(api.put("/api/rules", data={"yaml": ""}))
    checked(api.post("/api/rules/emergency-stop", data={"enabled": False}))
    checked(api.post("/api/pause-all", data={"enabled": False}))


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Rules in YAML")


def mistakes(page: Page) -> Locator:
    return page.get_by_role("status", name="Errors")


def put(page: Page, yaml: str) -> None:
    """Replace the text as a paste would."""
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(yaml)


def take(page: Page) -> None:
    """Take the offered word. Just after it appeared, Enter still means a new line."""
    page.wait_for_timeout(150)
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_the_link_in_a_message_leads_to_its_rule_which_is_switched_off_there(page: Page, api: APIRequestContext):
    checked(api.put("/api/rules", data={"yaml": RULE}))
    page.goto("/rules?rule=Reports%20by%20two")
    expect(page.get_by_role("group", name="Change Reports by two")).to_be_visible()
    page.get_by_role("button", name="Switch this rule off").click()
    page.get_by_role("dialog").get_by_role("button", name="Switch it off").click()
    expect(page.get_by_role("button", name="Switch this rule on")).to_be_visible()
    assert checked(api.get("/api/rules"))["yaml"] == f"{RULE}    enabled: false\n"


@pytest.mark.slow
def test_a_rule_is_written_tried_saved_and_in_force(page: Page, scripted: Scripted):
    ask = scripted.ask(scripted.start(says("", write("report.md"))))
    scripted.post(f"/api/asks/{ask['id']}/answer", {"decision": "deny", "note": "Not that one"})
    page.goto("/rules")
    page.get_by_role("button", name="Unsure messages").click()
    expect(editor(page)).to_contain_text("Messages by two")
    put(page, RULE.replace("trigger:", "triger:"))
    first = mistakes(page).get_by_role("button").first
    expect(first).to_contain_text("Line 4, column 5")
    expect(first).to_contain_text("did you mean `trigger`")
    expect(page.locator(".cm-lint-marker-error").first).to_be_visible()
    expect(page.get_by_role("button", name="Save and apply")).to_be_disabled()
    expect(page.get_by_role("button", name="Simulate")).to_be_disabled()
    first.click()
    page.keyboard.press("End")
    page.keyboard.press("ControlOrMeta+Backspace")
    page.keyboard.press("ControlOrMeta+Backspace")
    page.keyboard.type("trigger:")
    expect(mistakes(page)).to_contain_text("Valid.")
    put(page, 'version: "1.0"\nauto_approval:\n  rules:\n    - {name: Files, conditions: {tool: write_file}}\n')
    expect(mistakes(page)).to_contain_text("Valid.")
    simulate = page.get_by_role("region", name="Simulate")
    simulate.get_by_role("button", name="Simulate").click()
    expect(simulate).to_contain_text("It would run 1 call that people denied")
    expect(simulate.get_by_role("alert")).to_contain_text("Not that one")
    expect(simulate.get_by_role("listitem").filter(has_text="Asks").first).to_contain_text("Runs")
    put(page, RULE)
    expect(mistakes(page)).to_contain_text("Valid.")
    page.get_by_role("textbox", name="What this change is for").fill("Reports need two")
    page.get_by_role("button", name="Save and apply").click()
    expect(page.get_by_text("Version", exact=False).filter(has_text="by admin").first).to_be_visible()
    asked = page.get_by_role("region", name="Try a call")
    asked.get_by_role("combobox", name="Tool").fill("write_file")
    page.keyboard.press("Escape")
    asked.get_by_role("button", name="What would happen?").click()
    verdict = asked.get_by_role("status", name="Verdict")
    expect(verdict).to_contain_text("Reports by two")
    expect(verdict).to_contain_text("2 different people must sign")
    page.goto("/rules?tab=history")
    expect(page.get_by_text("Reports need two")).to_be_visible()
    expect(page.locator(".cm-changedLine, .cm-insertedLine").first).to_be_visible()


@pytest.mark.slow
def test_completion_knows_the_words_of_rules_and_of_the_workspace(page: Page):
    page.goto("/rules")
    put(page, "checkpoints:\n  - name: x\n    trigger:\n      to")
    options = page.get_by_role("listbox").get_by_role("option")
    for _ in range(10):
        # The words come from the server: who asks before they are there asks again.
        page.keyboard.press("Control+Space")
        page.wait_for_timeout(500)
        if options.count():
            break
    expect(options.first).to_have_text("tool")
    take(page)
    page.keyboard.type("send_m")
    expect(options.filter(has_text="send_message").first).to_be_visible()
    take(page)
    expect(editor(page)).to_contain_text("tool: send_message")


@pytest.mark.slow
def test_auto_approvals_are_stopped_by_one_button(page: Page, api: APIRequestContext):
    page.goto("/rules")
    page.get_by_role("button", name="Stop auto-approvals").click()
    page.get_by_role("dialog").get_by_role("button", name="Stop them now").click()
    banner = page.get_by_role("alert").filter(has_text="Auto-approvals are stopped")
    expect(banner).to_contain_text("admin")
    assert checked(api.get("/api/rules"))["stopped"] is True
    check_light_and_dark(page)
    banner.get_by_role("button", name="Allow automatic approvals again").click()
    expect(banner).to_have_count(0)
    assert checked(api.get("/api/rules"))["stopped"] is False


def test_everything_is_paused_from_one_page_and_every_other_says_so_at_once(page: Page, api: APIRequestContext):
    page.goto("/rules")
    other = page.context.new_page()
    other.goto("/runs")
    expect(other.get_by_role("heading", name="Runs")).to_be_visible()
    page.get_by_role("button", name="Pause everything").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("No run takes another step")
    dialog.get_by_label("Why").fill("Wrong prices went out")
    dialog.get_by_role("button", name="Pause everything").click()
    for each in (page, other):
        banner = each.get_by_role("alert").filter(has_text="Everything is paused by")
        expect(banner).to_contain_text(re.compile(r"admin.* since \d.*: Wrong prices went out", re.IGNORECASE))
    expect(page.get_by_role("button", name="Pause everything")).to_have_count(0)
    check_light_and_dark(page)
    other.get_by_role("button", name="Resume everything").click()
    other.get_by_role("dialog").get_by_role("button", name="Resume everything").click()
    for each in (page, other):
        expect(each.get_by_text("Everything is paused")).to_have_count(0)
    assert checked(api.get("/api/pause-all"))["enabled"] is False


@pytest.mark.slow
def test_who_saves_second_sees_what_changed(page: Page, api: APIRequestContext):
    page.goto("/rules")
    put(page, RULE)
    expect(mistakes(page)).to_contain_text("Valid.")
    checked(api.put("/api/rules", data={"yaml": RULE.replace("count: 2", "count: 3")}))
    conflict = page.get_by_role("region", name="Someone else saved the rules")
    expect(conflict.get_by_role("alert")).to_contain_text("while you were writing")
    expect(conflict.get_by_role("textbox", name="Theirs and yours")).to_contain_text("require_approval_count: 2")
    conflict.get_by_role("button", name="Overwrite with mine").click()
    expect(conflict).to_have_count(0)
    assert checked(api.get("/api/rules"))["yaml"] == RULE


@pytest.mark.slow
def test_a_proposed_rule_is_accepted_or_dismissed(page: Page, scripted: Scripted):
    for name in ("accepted", "dismissed"):
        ask = scripted.ask(scripted.start(says("", write(f"{name}.md"))))
        scripted.post(f"/api/asks/{ask['id']}/answer", {"decision": "approve", "remember": "rule"})
    page.goto("/rules?tab=suggestions")
    suggestions = page.get_by_role("article")
    expect(suggestions).to_have_count(2)
    check_light_and_dark(page)
    suggestions.first.get_by_role("button", name="Accept").click()
    expect(suggestions).to_have_count(1)
    suggestions.first.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("No suggestions")).to_be_visible()
    assert "write_file" in scripted.get("/api/rules")["yaml"]


@pytest.mark.slow
def test_accepting_a_suggestion_does_not_undo_what_somebody_saved_meanwhile(
    browser: Browser, server: Server, scripted: Scripted
):
    ask = scripted.ask(scripted.start(says("", write("late.md"))))
    scripted.post(f"/api/asks/{ask['id']}/answer", {"decision": "approve", "remember": "rule"})

    def save_first(route: Route) -> None:
        if route.request.method == "PUT" and "# theirs" not in scripted.get("/api/rules")["yaml"]:
            now = scripted.get("/api/rules")
            theirs = {"yaml": f"{now['yaml']}\n# theirs\n", "version": now["version"]}
            assert scripted.client.put("/api/rules", json=theirs).is_success
        route.continue_()

    with guarded(browser, server) as (context, guard):
        guard.allowed.append("409")
        page = signed_in(context)
        page.route("**/api/rules", save_first)
        page.goto("/rules?tab=suggestions")
        suggestion = page.get_by_role("article").filter(has_text=f"by {ask['agent']}")
        suggestion.get_by_role("button", name="Accept").click()
        expect(page.get_by_text("Someone else saved the rules")).to_be_visible()
        assert "# theirs" in scripted.get("/api/rules")["yaml"]
        suggestion.get_by_role("button", name="Accept").click()
        expect(suggestion).to_have_count(0)
        assert "# theirs" in scripted.get("/api/rules")["yaml"]


@pytest.mark.slow
def test_what_was_allowed_can_be_taken_back(page: Page, scripted: Scripted):
    ask = scripted.ask(scripted.start(says("", write("a.md"))))
    scripted.post(f"/api/asks/{ask['id']}/answer", {"decision": "approve", "remember": "agent"})
    page.goto("/rules?tab=allowances")
    row = page.get_by_role("row").filter(has_text=ask["agent_name"])
    expect(row).to_contain_text("if path is in the run's own folder (.md files)")
    check_light_and_dark(page)
    row.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)


@pytest.mark.slow
def test_lessons_and_figures_are_shown(page: Page, scripted: Scripted):
    ask = scripted.ask(scripted.start(says("", write("a.md"))))
    scripted.post(f"/api/asks/{ask['id']}/answer", {"decision": "deny", "note": "Use the archive"})
    page.goto("/rules?tab=lessons")
    expect(page.get_by_text("Use the archive").first).to_be_visible()
    lesson = page.get_by_role("listitem").filter(has_text="Use the archive").first
    lesson.get_by_role("button", name="More about this lesson").click()
    page.get_by_role("menuitem", name="Switch off").click()
    expect(lesson.get_by_text("Off", exact=True)).to_be_visible()
    check_light_and_dark(page)
    page.get_by_role("link", name="Figures").click()
    expect(page.get_by_text("Approved automatically")).to_be_visible()
    check_light_and_dark(page)


@pytest.mark.slow
def test_somebody_who_may_not_change_them_reads_and_tries(browser: Browser, server: Server, api: APIRequestContext):
    checked(api.put("/api/rules", data={"yaml": RULE}))
    with guarded(browser, server) as (context, _):
        page = signed_in_as(context, api, "viewer")
        page.goto("/rules")
        expect(editor(page)).to_have_attribute("aria-readonly", "true")
        expect(page.get_by_text("Only an admin can change the rules.")).to_be_visible()
        expect(page.get_by_role("button", name="Save and apply")).to_have_count(0)
        expect(page.get_by_role("button", name="Stop auto-approvals")).to_be_disabled()
        expect(page.get_by_role("button", name="Pause everything")).to_be_disabled()
        page.get_by_role("button", name="Simulate").click()
        expect(page.get_by_role("region", name="Simulate")).to_contain_text(re.compile("asks before|no past decisions"))


@pytest.mark.slow
def test_rules_from_a_file_are_read_only_and_show_its_mistakes(browser: Browser, tmp_path: Path, model: Model):
    file = tmp_path / "rules.yaml"
    file.write_text(RULE)
    settings = Settings(data=tmp_path / "data", token=TOKEN, rules=file)
    with serving(tmp_path, model, settings) as server, guarded(browser, server) as (context, _):
        page = signed_in(context)
        page.goto("/rules")
        expect(page.get_by_text("These rules come from the file")).to_contain_text("rules.yaml")
        expect(editor(page)).to_contain_text("Reports by two")
        expect(page.get_by_role("button", name="Save and apply")).to_have_count(0)
        file.write_text(RULE.replace("trigger:", "triger:"))
        expect(page.get_by_text("the last valid version stays in use")).to_be_visible(timeout=40_000)
        expect(page.get_by_text("Line 4, column 5")).to_be_visible()


@pytest.mark.slow
def test_the_editor_is_accessible_and_fits_a_phone(page: Page, phone: Page, api: APIRequestContext):
    checked(api.put("/api/rules", data={"yaml": RULE}))
    page.goto("/rules")
    expect(editor(page)).to_contain_text("Reports by two")
    check_light_and_dark(page)
    phone.goto("/rules")
    expect(editor(phone)).to_contain_text("Reports by two")
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_rule_is_built_by_menus_tried_as_a_draft_saved_and_in_force(page: Page, api: APIRequestContext):
    checked(api.put("/api/rules", data={"yaml": f"# Kept as it is\n{RULE}"}))
    page.goto("/rules")
    words = page.get_by_role("region", name="Rules in words")
    words.get_by_role("button", name="Add a rule").click()
    page.get_by_role("menuitem", name="Ask people").click()
    form = words.get_by_role("group", name="Change Ask first")
    form.get_by_role("combobox", name="Add a condition").select_option(label="A field of the call")
    form.get_by_role("combobox", name="amount: comparison").select_option(label="is at least")
    form.get_by_role("textbox", name="amount: value").fill("500")
    form.get_by_role("textbox", name="amount: value").press("Enter")
    form.get_by_role("textbox", name="How many people").fill("3")
    form.get_by_role("textbox", name="How many people").press("Enter")
    form.get_by_role("combobox", name="How long it waits").select_option(label="answered within")
    form.get_by_role("combobox", name="If nobody answers").select_option(label="the run is cancelled")
    expect(words).to_contain_text("where amount is at least 500 wait for 3 different people")
    expect(words).to_contain_text("; if nobody answers within 1 hour, the run is cancelled")
    expect(mistakes(page).get_by_role("list", name="Warnings")).to_contain_text("needs 3 signatures, but only")
    # The text is the truth: what a menu did is in its history, and what is typed is in the menus.
    editor(page).click()
    page.keyboard.press("ControlOrMeta+z")
    expect(words).to_contain_text("within 1 hour, the run fails")
    page.keyboard.press("ControlOrMeta+y")
    expect(words).to_contain_text("the run is cancelled")
    words.get_by_role("textbox", name="Name").fill("Big messages")
    words.get_by_role("textbox", name="Name").press("Enter")
    tried = page.get_by_role("region", name="Try a call")
    expect(tried).to_contain_text("Checked against your draft")
    tried.get_by_role("combobox", name="Tool").fill("send_message")
    page.keyboard.press("Escape")
    tried.get_by_role("textbox", name="Arguments").fill('{"amount": 800}')
    tried.get_by_role("button", name="What would happen?").click()
    expect(tried.get_by_role("status", name="Verdict")).to_contain_text("Big messages")
    words.get_by_role("button", name="More for Reports by two").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(words.get_by_text("Reports by two")).to_have_count(0)
    page.get_by_role("button", name="Undo").last.click()
    expect(words.get_by_text("Reports by two")).to_be_visible()
    check_light_and_dark(page)
    expect(mistakes(page)).to_contain_text("Valid")
    page.get_by_role("button", name="Save and apply").click()
    expect(page.get_by_text("is in use.")).to_be_visible()
    saved = checked(api.get("/api/rules"))["yaml"]
    assert saved.startswith(f"# Kept as it is\n{RULE}")
    call = {"tool": "send_message", "arguments": {"amount": 800}}
    found = checked(api.post("/api/rules/evaluate", data=call))
    assert (found["rule"], found["conditions"]["approvals_required"]) == ("Big messages", 3)
    assert checked(api.post("/api/rules/evaluate", data={**call, "arguments": {"amount": 8}}))["rule"] is None
    put(page, "checkpoints: [")
    expect(words).to_contain_text("Menus are off: line 1 of the text can't be read")
    expect(words.get_by_role("button", name="Add a rule")).to_have_count(0)
