"""An ask reaches people by mail, and the link in it decides."""

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.channels.mailbox import Mailbox, link_in, text_of
from tests.contract.ruling import put_rules, ruled
from tests.contract.scenes import run_that
from tests.house import House
from tests.wire import call, says

WRITE = call("write_file", {"path": "report.md", "content": "All good."})


@pytest.fixture
def approver(house: House) -> str:
    """A new approver's address."""
    email = f"{new_id()}@example.org"
    house.member("approver", email)
    return email


def test_an_ask_comes_by_mail_and_its_link_decides(house: House, mailbox: Mailbox, approver: str) -> None:
    run = run_that(house, says("", WRITE))
    mail = mailbox.wait_for(approver, "report.md")
    assert "All good." in text_of(mail)
    with httpx.Client(base_url=house.url) as phone:
        page = phone.get(link_in(mail))
        assert page.status_code == 200
        assert "Approve" in page.text
        assert house.asks(run), "looking decides nothing"
        decided = phone.post(link_in(mail), data={"decision": "approve"})
        assert decided.status_code == 200, decided.text
        assert "Approved" in decided.text
    assert house.ended(run)["status"] == "completed"


def test_a_used_link_does_nothing_more_while_others_have_yet_to_sign(
    house: House, mailbox: Mailbox, approver: str
) -> None:
    _, ask = ruled(house, {"require_approval_count": 2}, call("write_file", {"path": "two.md", "content": "x"}))
    link = house.url + link_in(mailbox.wait_for(approver, "two.md"))
    assert "Signed: 1 of 2" in httpx.post(link, data={"decision": "approve"}).text
    assert httpx.post(link, data={"decision": "deny"}).status_code == 409
    assert house.get(f"/api/asks/{ask['id']}")["status"] == "pending"
    put_rules(house)
