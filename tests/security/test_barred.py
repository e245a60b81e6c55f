"""Who may not approve reads why, in one sentence."""

from signoff.kit.ids import new_id
from tests.contract.ruling import Person, people, somebody
from tests.contract.scenes import waiting
from tests.house import House
from tests.joining import join
from tests.security.test_four_eyes import EDITED, FOUR_EYES, started_by


def test_who_is_barred_reads_the_one_reason_that_holds(house: House) -> None:
    starter, editor, writer, boss, free = *people(house, 3), somebody(house, "admin"), somebody(house)
    run, ask = started_by(house, starter, FOUR_EYES)
    boss.post(f"/api/runs/{run}/messages", {"text": "in short"})
    writer.post(f"/api/runs/{run}/messages", {"text": "quick"})
    editor.answer(ask, arguments=EDITED)
    email = f"late-{new_id()}@example.org"
    with house.client_for(boss.token) as admin:
        late = Person(house.url, join(admin, email, "approver"), email)
    rest = "so someone else must approve it. You can still deny it."
    reasons = {
        starter.email: f"You started this run, {rest}",
        editor.email: f"You edited this, {rest}",
        writer.email: f"You steered this run, {rest}",
        late.email: f"{boss.email} had a hand in this and let you in after this was asked, {rest}",
        free.email: None,
    }
    for who in (starter, editor, writer, late, free):
        seen = who.get(f"/api/asks/{ask['id']}").json()
        assert (seen["barred"], seen["may_refuse"]) == (reasons[who.email], True)


def test_who_came_by_a_service_token_reads_why_they_decide_nothing(house: House) -> None:
    _, ask = waiting(house)
    ann = somebody(house)
    made = house.post("/api/tokens", {"name": "bot", "user": ann.email}, 201)["token"]
    seen = Person(house.url, made, ann.email).get(f"/api/asks/{ask['id']}").json()
    assert (seen["may_decide"], seen["may_refuse"]) == (False, False)
    assert "made by someone else" in seen["barred"]
    member = somebody(house, "member").get(f"/api/asks/{ask['id']}").json()
    assert (member["may_decide"], member["may_refuse"], member["barred"]) == (False, False, None)
