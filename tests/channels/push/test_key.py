"""The key pair that push services and browsers know this installation by."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from sqlalchemy import select

from signoff.channels.push import vapid
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.secrets.keyring import keyring_for
from signoff.secrets.models import Secret
from tests.channels.push.push_service import PushService
from tests.house import House


def test_of_many_processes_that_start_at_once_one_makes_the_key(database_url: str, settings: Settings) -> None:
    keyring, start = keyring_for(settings), Barrier(6)

    def process(_: int) -> str:
        db = Database(database_url)
        start.wait()
        try:
            db.write(lambda session: vapid.make_key(session, keyring))
            return db.read(lambda session: vapid.vapid_private_key(session, keyring))
        finally:
            db.close()

    with ThreadPoolExecutor(6) as processes:
        keys = set(processes.map(process, range(6)))
    assert len(keys) == 1


def test_the_key_is_there_from_the_first_start_and_stays(house: House) -> None:
    before = house.get("/api/push/key")
    house.parts.db.write(lambda session: vapid.make_key(session, house.parts.keyring))
    assert house.get("/api/push/key") == before


def test_only_the_public_half_is_ever_seen(house: House) -> None:
    private = house.parts.db.read(lambda session: vapid.vapid_private_key(session, house.parts.keyring))
    assert house.get("/api/push/key") == {"public_key": vapid.public_key(private)}
    assert len(vapid.from_base64url(vapid.public_key(private))) == 65
    sealed = house.parts.db.read(lambda session: session.scalars(select(Secret.sealed)).all())
    assert sealed
    assert not [each for each in sealed if private in each]


def test_the_test_button_reaches_the_browsers_of_whoever_presses_it(house: House, service: PushService) -> None:
    browser = service.browser()
    house.post("/api/push/subscriptions", browser.subscription, 201)
    channel = next(each for each in house.get("/api/channels")["items"] if each["kind"] == "push")
    assert house.post(f"/api/channels/{channel['id']}/test") == {"ok": True, "error": None}
    assert browser.opened()["title"] == "Signoff can reach you here"
    assert house.get("/api/push/key")["public_key"] in browser.arrived[0].headers["authorization"]
