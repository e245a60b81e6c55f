"""Open, waiting for others, decided: where each person finds an ask."""

import pytest

from tests.contract.ruling import Person, people, ruled, sees, somebody
from tests.house import House

TWO = {"require_approval_count": 2}
EDITED = {"path": "b.txt", "content": "two"}


def count(person: Person) -> tuple[int, int]:
    counted = person.get("/api/asks/count").json()
    return counted["pending"], counted["waiting"]


@pytest.mark.both_databases
def test_who_signed_waits_for_others_and_finds_it_among_their_decisions_after(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    opened, waiting = count(ann)
    ann.answer(ask)
    assert (sees(ann, ask), sees(bob, ask)) == (["waiting"], ["open"])
    assert count(ann) == (opened - 1, waiting + 1)
    assert count(bob) == (opened, 0)
    bob.answer(ask)
    assert sees(ann, ask) == sees(bob, ask) == ["decided", "mine"]
    assert sees(somebody(house), ask) == ["decided"]
    assert count(ann) == (opened - 1, waiting)


def test_whose_signature_an_edit_voided_has_it_open_again(house: House) -> None:
    _, ask = ruled(house, TWO)
    ann, bob = people(house, 2)
    ann.answer(ask)
    bob.answer(ask, arguments=EDITED)
    assert (sees(ann, ask), sees(bob, ask)) == (["open"], ["waiting"])


def test_what_is_handed_on_waits_for_others_until_it_comes_back(house: House) -> None:
    _, ask = ruled(house, {})
    ann, bob = people(house, 2)
    ann.post(f"/api/asks/{ask['id']}/assign", {"user": bob.email})
    assert (sees(ann, ask), sees(bob, ask)) == (["waiting"], ["open"])
    bob.post(f"/api/asks/{ask['id']}/assign", {"user": ann.email})
    assert (sees(ann, ask), sees(bob, ask)) == (["open"], ["waiting"])
    ann.post(f"/api/asks/{ask['id']}/assign", {"user": None})
    assert (sees(ann, ask), sees(bob, ask)) == (["open"], ["open"])


def test_a_run_that_ends_leaves_nothing_waiting(house: House) -> None:
    run, ask = ruled(house, TWO)
    ann = somebody(house)
    ann.answer(ask)
    house.post(f"/api/runs/{run}/cancel")
    assert sees(ann, ask) == []
    assert count(ann)[1] == 0


@pytest.mark.both_databases
def test_decisions_come_newest_first_page_by_page_and_are_searched(house: House) -> None:
    ann = somebody(house)
    asks = [ruled(house, {})[1] for _ in range(3)]
    for ask in reversed(asks):
        ann.answer(ask, "deny", note="no")
    first = ann.get("/api/asks", **{"view": "decided", "by": "me", "limit": 2}).json()
    rest = ann.get("/api/asks", **{"view": "decided", "by": "me", "cursor": first["next_cursor"]}).json()
    found = first["items"] + rest["items"]
    assert [each["id"] for each in found] == [each["id"] for each in asks]
    assert (first["total"], {each["settled_by"] for each in found}) == (3, {ann.email})
    narrow = {"view": "decided", "by": "me", "status": "approved"}
    assert ann.get("/api/asks", **narrow).json()["total"] == 0
    assert ann.get("/api/asks", **{"view": "decided", "by": "me", "q": asks[0]["title"]}).json()["total"] == 3
    assert ann.get("/api/asks", **{"view": "decided", "by": "me", "q": "nowhere to be found"}).json()["total"] == 0
