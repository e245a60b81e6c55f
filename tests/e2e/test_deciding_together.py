"""Several people at one ask: they sign in turn, change it, look at it, and come too late."""

import re

import pytest
from playwright.sync_api import APIRequestContext, Browser, Page, expect

from tests.e2e.axe import check_light_and_dark
from tests.e2e.conftest import Server, guarded, signed_in
from tests.e2e.flows import ask_card
from tests.e2e.people import signed_in_as
from tests.e2e.scripted import Scripted, write
from tests.joining import join
from tests.wire import says

STAGES = """\
version: "1.0"
checkpoints:
  - name: "Two people"
    trigger: {tool: write_file}
    action:
      stages:
        - {name: lead, approvers: ["approver@example.com"]}
        - {name: boss, approvers: "role:admin"}
"""
TOGETHER = """\
version: "1.0"
checkpoints:
  - name: "Together"
    trigger: {tool: write_file}
    action: {require_approval_count: 1, batch_alike: true}
"""


def person(scripted: Scripted, email: str) -> dict[str, str]:
    """What a script sends to be somebody else, who approves."""
    return {"Authorization": f"Bearer {join(scripted.client, email, 'approver', email)}"}


@pytest.mark.slow
def test_two_people_sign_one_after_the_other(
    browser: Browser, server: Server, api: APIRequestContext, scripted: Scripted
):
    with guarded(browser, server) as (first, _), guarded(browser, server) as (second, _):
        lead, boss = signed_in_as(first, api, "approver"), signed_in_as(second, api, "admin")
        with scripted.under_rules(STAGES):
            ask = scripted.ask(scripted.start(says("", write("letter.md")), says("Done.")))
        for page in (lead, boss):
            page.goto(f"/asks/{ask['id']}")
        signing = ask_card(lead, ask)
        expect(signing.get_by_role("region", name="Signatures")).to_contain_text("0 of 2 signed")
        expect(ask_card(boss, ask)).to_contain_text("Needs one of: approver@example.com.")
        expect(ask_card(boss, ask).get_by_role("button", name="Assign")).to_have_count(0)
        check_light_and_dark(lead)
        signing.get_by_role("button", name="Sign, 1 of 2").click()
        lead.get_by_role("button", name="Send now").first.click()
        expect(lead.get_by_role("alert").filter(has_text="Signed. 1 more must sign")).to_be_visible()
        lead.goto(f"/asks/{ask['id']}")
        expect(ask_card(lead, ask)).to_contain_text("You signed. Waiting for someone else.")
        expect(ask_card(lead, ask)).to_contain_text("next: boss, any admin")
        # The second, whose page was open all the time, sees it come.
        expect(ask_card(boss, ask).get_by_role("region", name="Signatures")).to_contain_text("1 of 2 signed")
        ask_card(boss, ask).get_by_role("button", name="Approve", exact=False).first.click()
        boss.get_by_role("button", name="Send now").first.click()
        settled = scripted.settled(ask)
        assert settled["status"] == "approved"
        assert [each["stage"] for each in settled["approvals"]] == ["lead", "boss"]
        expect(ask_card(lead, ask).get_by_text(re.compile("^Approved by "))).to_be_visible()


@pytest.mark.slow
def test_whoever_signed_one_of_several_can_still_refuse(page: Page, api: APIRequestContext, scripted: Scripted):
    page = signed_in_as(page.context, api, "approver")
    with scripted.under_rules(
        TOGETHER.replace("require_approval_count: 1, batch_alike: true", "require_approval_count: 2")
    ):
        ask = scripted.ask(scripted.start(says("", write("letter.md"))))
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Sign, 1 of 2").click()
    page.get_by_role("button", name="Send now").first.click()
    expect(page.get_by_role("alert").filter(has_text="Signed.")).to_be_visible()
    page.goto(f"/asks/{ask['id']}")
    expect(card).to_contain_text("You signed. Waiting for someone else; you can still deny it.")
    expect(card.get_by_role("button", name=re.compile("^Sign"))).to_have_count(0)
    card.get_by_role("button", name="Deny").click()
    card.get_by_role("button", name="Deny", exact=True).click()
    page.get_by_role("button", name="Send now").first.click()
    assert scripted.settled(ask)["status"] == "denied"


@pytest.mark.slow
def test_a_signer_who_was_removed_is_shown_as_one_who_does_not_count(
    page: Page, api: APIRequestContext, scripted: Scripted
):
    with scripted.under_rules(
        TOGETHER.replace("require_approval_count: 1, batch_alike: true", "require_approval_count: 2")
    ):
        ask = scripted.ask(scripted.start(says("", write("letter.md"))))
    gone = person(scripted, "gone@example.org")
    assert api.post(f"/api/asks/{ask['id']}/answer", data={"decision": "approve"}, headers=gone).ok
    members = api.get("/api/members", params={"limit": 200}).json()["items"]
    (member,) = [each["id"] for each in members if each["email"] == "gone@example.org"]
    assert scripted.client.delete(f"/api/members/{member}").status_code == 204
    page = signed_in_as(page.context, api, "approver")
    page.goto(f"/asks/{ask['id']}")
    signatures = ask_card(page, ask).get_by_role("region", name="Signatures")
    expect(signatures).to_contain_text("0 of 2 signed")
    expect(signatures).to_contain_text("does not count: gone@example.org is no longer a member")
    expect(signatures.locator("s")).to_have_text("gone@example.org")
    check_light_and_dark(page)
    ask_card(page, ask).get_by_role("button", name="Sign, 1 of 2").click()
    expect(page.get_by_text("Signed 1 of 2").first).to_be_visible()


@pytest.mark.slow
def test_a_change_under_four_eyes_is_a_proposal_to_somebody_else(
    page: Page, api: APIRequestContext, scripted: Scripted
):
    page = signed_in_as(page.context, api, "approver")
    with scripted.under_rules(TOGETHER.replace("require_approval_count: 1, batch_alike: true", "four_eyes: true")):
        ask = scripted.ask(scripted.start(says("", write("letter.md"))))
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Edit").click()
    card.get_by_role("textbox", name="Path").fill("other.md")
    expect(card).to_contain_text("You changed it, so someone else must approve (four eyes).")
    card.get_by_role("button", name="Propose this change").click()
    page.get_by_role("button", name="Send now").first.click()
    expect(page.get_by_role("alert").filter(has_text="Changed. Someone else must approve")).to_be_visible()
    page.goto(f"/asks/{ask['id']}")
    expect(card).to_contain_text("You edited this, so someone else must approve it. You can still deny it.")
    expect(card).to_contain_text("Changed by Approver. What differs from the proposal:")
    other = person(scripted, "eyes@example.org")
    digest = api.get(f"/api/asks/{ask['id']}").json()["digest"]
    given = {"decision": "approve", "digest": digest}
    assert api.post(f"/api/asks/{ask['id']}/answer", data=given, headers=other).ok
    expect(card.get_by_text("Changed by Approver, approved by eyes@example.org")).to_be_visible()


@pytest.mark.slow
def test_a_change_by_another_signer_is_said_and_the_note_is_kept(
    page: Page, api: APIRequestContext, scripted: Scripted
):
    with scripted.under_rules(
        TOGETHER.replace("require_approval_count: 1, batch_alike: true", "require_approval_count: 2")
    ):
        ask = scripted.ask(scripted.start(says("", write("letter.md"))))
    other = person(scripted, "bo@example.org")
    page = signed_in_as(page.context, api, "approver")
    page.goto(f"/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Note").click()
    card.get_by_role("textbox", name="Note").fill("Looks right")
    changed = {"path": "other.md", "content": "Short."}
    answer = {"decision": "approve", "arguments": changed}
    assert api.post(f"/api/asks/{ask['id']}/answer", data=answer, headers=other).ok
    expect(card).to_contain_text("Changed by bo@example.org. Please review it again.")
    card.get_by_role("button", name="Show it as it is now").click()
    expect(card.get_by_role("textbox", name="Note")).to_have_value("Looks right")
    expect(card).to_contain_text("other.md")


@pytest.mark.slow
def test_who_writes_about_what_others_decide_loses_no_word_and_decides_nothing_else(page: Page, scripted: Scripted):
    scripted.clear()
    first, second = (scripted.ask(scripted.start(says("", write(f"{name}.md")))) for name in ("first", "second"))
    page.goto("/inbox")
    page.get_by_role("button", name="Edit").click()
    path = page.get_by_role("textbox", name="Path")
    path.fill("")
    page.keyboard.type("jade ")
    other = person(scripted, "jo@example.org")
    assert scripted.client.post(
        f"/api/asks/{first['id']}/answer", json={"decision": "approve"}, headers=other
    ).is_success
    card = ask_card(page, first)
    expect(card).to_contain_text("jo@example.org approved this meanwhile. What you wrote was not sent.")
    expect(path).to_be_focused()
    page.keyboard.type("and jam")
    expect(path).to_have_value("jade and jam")
    expect(card.get_by_role("button", name=re.compile("^Approve"))).to_have_count(0)
    expect(card.get_by_role("button", name="Copy your text")).to_be_visible()
    check_light_and_dark(page)
    card.get_by_role("button", name="Discard", exact=True).click()
    expect(card.get_by_text("Approved by jo@example.org")).to_be_visible()
    expect(page.get_by_role("region", name="Decisions on their way")).to_have_count(0)
    assert scripted.get(f"/api/asks/{second['id']}")["status"] == "pending"


@pytest.mark.slow
def test_who_comes_too_late_is_told_who_was_faster(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("approval")
    with guarded(browser, server) as (context, guard), guarded(browser, server) as (other, _):
        guard.allowed.append("409")
        slow, fast = signed_in(context), signed_in(other)
        for page in (slow, fast):
            page.goto(f"/asks/{ask['id']}")
            expect(ask_card(page, ask).get_by_role("button", name="Approve")).to_be_visible()
        ask_card(slow, ask).get_by_role("button", name="Approve").click()
        fast.keyboard.press("d")
        fast.get_by_role("textbox", name="Why?").fill("Not today")
        fast.get_by_role("button", name="Deny", exact=True).click()
        fast.get_by_role("button", name="Send now").first.click()
        assert scripted.settled(ask)["status"] == "denied"
        slow.get_by_role("button", name="Send now").first.click()
        late = slow.get_by_role("alert").filter(has_text="Too late")
        expect(late).to_contain_text("It was already denied by")
        expect(late).to_contain_text("Not today")
        late.get_by_role("link", name="Show it").click()
        expect(ask_card(slow, ask).get_by_text(re.compile("^Denied by "))).to_be_visible()


@pytest.mark.slow
def test_others_who_look_are_named(browser: Browser, server: Server, scripted: Scripted):
    ask = scripted.asking("approval")
    token = join(scripted.client, "ana@example.org", "approver", "Ana")
    with guarded(browser, server) as (context, _):
        page = signed_in(context)
        page.goto(f"/asks/{ask['id']}")
        expect(ask_card(page, ask)).to_be_visible()
        expect(page.get_by_role("status").get_by_text("Live").first).to_be_visible()
        headers = {"Authorization": f"Bearer {token}"}
        other = context.browser.new_context(base_url=server.url, extra_http_headers=headers)  # type: ignore[union-attr]
        assert other.request.post(f"/api/asks/{ask['id']}/viewing").ok
        expect(ask_card(page, ask)).to_contain_text(re.compile("ana.*is viewing", re.IGNORECASE))
        other.close()
