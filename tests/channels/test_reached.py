"""What runs by itself unless somebody objects waits until a message reached somebody who could."""

from typing import Any

from tests.channels.mailbox import Mailbox
from tests.channels.people import someone, told
from tests.contract.ruling import look, ruled
from tests.house import House


def window(*recipients: str) -> dict[str, Any]:
    return {"timeout_seconds": 600, "on_timeout": "approve", "notification": {"recipients": list(recipients)}}


def test_a_mail_to_somebody_outside_starts_no_veto_window(house: House, mailbox: Mailbox) -> None:
    approver = someone(house)
    _, ask = ruled(house, window("auditor@elsewhere.example"))
    told(house, ask, target="auditor@elsewhere.example", status="sent")
    assert look(house, ask)["runs_at"] is None
    assert approver.client.post(f"/api/asks/{ask['id']}/viewing").status_code == 204
    assert look(house, ask)["runs_at"] is not None
