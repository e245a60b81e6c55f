"""A link that decides nothing has no other effect either."""

import httpx

from tests.channels.mailbox import Mailbox, link_in
from tests.channels.people import someone
from tests.contract.effects.test_previews import folder_of
from tests.contract.scenes import waiting
from tests.house import House
from tests.wire import call


def test_a_link_of_a_channel_that_is_off_voids_nothing(house: House, mailbox: Mailbox) -> None:
    ann = someone(house)
    run, ask = waiting(house, call("write_file", {"path": "dead.md", "content": "one"}))
    link = link_in(mailbox.wait_for(ann.email, "dead.md"))
    (folder_of(house, run) / "dead.md").write_text("somebody's")
    mail = next(each for each in house.get("/api/channels")["items"] if each["name"] == "Mail")
    house.client.patch(f"/api/channels/{mail['id']}", json={"enabled": False})
    try:
        assert httpx.post(f"{house.url}{link}", data={"decision": "approve"}).status_code == 403
    finally:
        house.client.patch(f"/api/channels/{mail['id']}", json={"enabled": True})
    assert house.get(f"/api/asks/{ask['id']}")["digest"] == ask["digest"]
