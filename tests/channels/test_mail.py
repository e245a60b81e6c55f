"""An ask reaches people by mail, and the link in it decides."""

import httpx
import pytest

from signoff.kit.ids import new_id
from tests.channels.mailbox import Mailbox, link_in, text_of
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
