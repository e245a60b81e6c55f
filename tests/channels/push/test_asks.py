"""An ask reaches the browsers of whoever may decide it, and is decided from there."""

from collections.abc import Callable

import httpx

from tests.channels.push.push_service import Browser, PushService
from tests.contract.scenes import agent_that, run_that
from tests.house import House
from tests.wire import call, says

WRITE = call("write_file", {"path": "report.md", "content": "All good."})
Subscribed = Callable[[Browser], httpx.Client]


def decide(house: House, path: str, decision: str) -> httpx.Response:
    """As the service worker does: without a session."""
    return httpx.post(house.url + path, data={"decision": decision}, headers={"Accept": "application/json"})


def test_an_ask_is_decided_by_what_was_pushed_and_the_outcome_follows(
    house: House, service: PushService, subscribed: Subscribed
) -> None:
    laptop, phone = service.browser(), service.browser()
    ana = subscribed(laptop)
    ana.post("/api/push/subscriptions", json=phone.subscription)
    run = run_that(house, says("", WRITE))
    laptop.wait_for(1)
    phone.wait_for(1)
    shown = laptop.opened()
    assert shown["title"] == "Approve: Write report.md"
    assert [each["action"] for each in shown["actions"]] == ["approve", "deny"]
    assert "All good." in shown["body"], "who approves here sees what they approve"
    answer = decide(house, shown["answer"]["url"], "approve")
    assert (answer.status_code, answer.json()["ok"]) == (200, True)
    assert house.ended(run)["status"] == "completed"
    laptop.wait_for(2)
    phone.wait_for(2)
    outcome = phone.opened()
    assert (outcome["tag"], outcome["body"], outcome["silent"]) == (shown["tag"], answer.json()["text"], True)


def test_yes_or_no_is_answered_on_the_notification(house: House, service: PushService, subscribed: Subscribed) -> None:
    """Seed 002: what does not block can be answered there."""
    browser = service.browser()
    subscribed(browser)
    asked = {"question": "Verbose output?", "type": "blocking", "responseType": "boolean"}
    run = run_that(house, says("", call("ask_question", asked)))
    browser.wait_for(1)
    shown = browser.opened()
    assert [each["title"] for each in shown["actions"]] == ["Yes", "No"]
    form = shown["answer"]["forms"][shown["actions"][1]["action"]]
    said = httpx.post(house.url + shown["answer"]["url"], data=form, headers={"Accept": "application/json"})
    assert said.json()["ok"] is True
    house.ended(run)
    [ask] = house.get(f"/api/runs/{run}/asks")["items"]
    assert (ask["status"], ask["answer"]["value"]) == ("answered", False)


def test_who_wants_to_hear_of_progress_is_told_how_far_their_own_run_is(
    house: House, service: PushService, subscribed: Subscribed
) -> None:
    """Seed 002's last row."""
    browser, other = service.browser(), service.browser()
    ana, bob = subscribed(browser), subscribed(other)
    assert ana.put("/api/me/preferences", json={"progress": True}).status_code == 200
    step = call("report_progress", {"current_step": "Reading", "percentage": 40})
    agent = agent_that(house, says("", step), says("Done."))
    for client in (bob, ana):
        run = client.post("/api/runs", json={"agent": agent, "task": "read", "title": "Long read"}).json()["id"]
        house.ended(run)
    browser.wait_for(2)
    other.wait_for(1)
    assert browser.opened(0)["title"] == "Long read (40 %)"
    assert [each["title"] for each in (browser.opened(), other.opened(0))] == ["Completed: Long read"] * 2


def test_the_second_press_is_told_why_it_does_nothing(
    house: House, service: PushService, subscribed: Subscribed
) -> None:
    browser = service.browser()
    subscribed(browser)
    run_that(house, says("", WRITE))
    browser.wait_for(1)
    link = browser.opened(0)["answer"]["url"]
    assert decide(house, link, "deny").json()["ok"] is True
    again = decide(house, link, "approve")
    assert again.status_code >= 400
    assert again.json()["ok"] is False
    assert "There is nothing left to do." in again.json()["text"]


def test_a_browser_that_is_gone_is_forgotten_and_the_other_one_gets_it(
    house: House, service: PushService, subscribed: Subscribed
) -> None:
    gone, stays = service.browser(status=410), service.browser()
    ana = subscribed(gone)
    ana.post("/api/push/subscriptions", json=stays.subscription)
    run_that(house, says("", WRITE))
    stays.wait_for(1)

    def endpoints() -> list[str]:
        return [each["endpoint"] for each in ana.get("/api/push/subscriptions").json()["items"]]

    house.until(lambda: endpoints() == [stays.endpoint])


def test_who_has_no_browser_left_is_not_tried_again(house: House, service: PushService, subscribed: Subscribed) -> None:
    gone = service.browser(status=410)
    ana = subscribed(gone)
    run = run_that(house, says("", WRITE))
    email = ana.get("/api/me").json()["user"]["email"]

    def failed() -> list[str]:
        items = house.get("/api/deliveries", run=run, limit=200)["items"]
        return [each["error"] for each in items if each["target"] == email and each["status"] == "failed"]

    assert "no longer subscribed" in house.until(failed)[0]
    assert ana.get("/api/push/subscriptions").json()["items"] == []
    assert len(gone.arrived) == 1


def test_nothing_more_goes_to_a_browser_that_its_person_removed(
    house: House, service: PushService, subscribed: Subscribed
) -> None:
    lost, kept = service.browser(), service.browser()
    ana = subscribed(lost)
    ana.post("/api/push/subscriptions", json=kept.subscription)
    run = run_that(house, says("", WRITE))
    lost.wait_for(1)
    kept.wait_for(1)
    house.until(lambda: [each for each in house.get("/api/deliveries", run=run)["items"] if each["status"] == "sent"])
    own = ana.get("/api/push/subscriptions").json()["items"]
    found = next(each["id"] for each in own if each["endpoint"] == lost.endpoint)
    assert ana.delete(f"/api/push/subscriptions/{found}").status_code == 204
    house.answer(house.ask(run), "deny", note="no")
    kept.wait_for(2)
    assert len(lost.arrived) == 1
