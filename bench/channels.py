"""From an ask to its message in the hands of a channel: a hundred at once, by mail or by webhook, on loopback."""

import asyncio
import smtplib
import time
from datetime import datetime

import httpx
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bench.receivers import receivers
from bench.stage import Stage
from signoff.asks.models import Ask
from signoff.channels import actions
from signoff.channels.models import Delivery
from signoff.channels.schemas import ChannelIn
from signoff.kit import clock
from signoff.main import ADMIN_EMAIL
from signoff.workspaces.models import Member, User

PATIENCE = 120.0


async def handed(stage: Stage, number: int, kind: str) -> tuple[list[float], list[float]]:
    """So many runs at once, each of which asks; everybody who may decide gets every mail by itself.

    Seconds from each ask's commit until its message was handed over and that was noted; and what a bare message to
    the same receiver takes, by the library alone."""
    with receivers() as (mail, http):
        bare = [_bare_mail(mail) if kind == "email" else _bare_post(http) for _ in range(20)]
        stage.parts.db.write(lambda session: _set_up(session, stage, kind, mail, http))
        async with stage.at_work():
            await stage.parts.deliverer.start()
            # The first one only warms up.
            stage.start(0)
            await _all_sent(stage, 1)
            begin = clock.now()
            for _ in range(number):
                stage.start(0)
            await _all_sent(stage, number + 1)
            await stage.parts.deliverer.stop()
        return _times(stage, begin), bare


def _set_up(session: Session, stage: Stage, kind: str, mail: int, http: int) -> None:
    settings = {
        "email": {"host": "127.0.0.1", "port": mail, "security": "none", "from": "signoff@example.org"},
        "webhook": {"url": f"http://127.0.0.1:{http}/", "events": ["ask.created"]},
    }
    body = ChannelIn(kind=kind, name="Bench", settings=settings[kind])
    channel, _ = actions.create(session, stage.parts.keyring, stage.actor, body)
    channel.reaches_private = True
    for member in session.scalars(select(Member)):
        member.preferences = {"digest": False}
    # The first admin has no address that mail could go to.
    for user in session.scalars(select(User).where(User.email == ADMIN_EMAIL)):
        user.email = "ana@example.org"


async def _all_sent(stage: Stage, number: int) -> None:
    def sent(session: Session) -> int:
        return session.scalar(select(func.count()).select_from(Delivery).where(Delivery.sent_at.is_not(None))) or 0

    end = time.monotonic() + PATIENCE
    while stage.parts.db.read(sent) < number:
        if time.monotonic() > end:
            raise AssertionError("not everything was handed over")
        await asyncio.sleep(0.1)


def _times(stage: Stage, begin: datetime) -> list[float]:
    query = select(Ask.created_at, Delivery.sent_at).join(Ask, Ask.id == Delivery.ask_id)
    rows = stage.parts.db.read(lambda session: session.execute(query.where(Ask.created_at > begin)).all())
    return [(sent_at - created_at).total_seconds() for created_at, sent_at in rows]


def _bare_post(http: int) -> float:
    with httpx.Client(trust_env=False, verify=False) as client:
        begin = time.perf_counter()
        client.post(f"http://127.0.0.1:{http}/", json={"text": "x"})
        return time.perf_counter() - begin


def _bare_mail(mail: int) -> float:
    begin = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", mail) as server:
        server.sendmail("a@example.org", ["b@example.org"], "Subject: x\r\n\r\nx")
    return time.perf_counter() - begin
