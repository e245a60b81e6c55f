"""Looks for replies: one per process that works. Two that find the same mail answer once: a token is good once."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import exists, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from signoff.channels import queries
from signoff.channels.actions import note_mailbox
from signoff.channels.answer_links.models import AnswerLink
from signoff.channels.answer_links.tokens import REPLY
from signoff.channels.email.replies.mailbox import DONE, MOST_BYTES, REFUSED, NewMail, open_mailbox
from signoff.channels.email.replies.take import Refused, Taken, Verdict, take
from signoff.channels.email.transport import EmailSettings, Mailbox
from signoff.channels.kinds import EMAIL
from signoff.channels.models import Channel
from signoff.channels.port import ChannelError, OpenChannel
from signoff.kit import clock
from signoff.kit.db.database import Commit, Database
from signoff.kit.errors import SignoffError
from signoff.secrets.keyring import Keyring

log = logging.getLogger(__name__)

THREADS = 4
LOOK_EVERY = 20.0
# Of a mailbox that could not be read.
LOOK_AGAIN = 60.0
# So long after the last token's end somebody may still reply: that is put aside, too.
LATE = timedelta(days=1)


class ReplyReader:
    """Looks into every mailbox that somebody could have replied to."""

    def __init__(self, db: Database, keyring: Keyring) -> None:
        self._db, self._keyring = db, keyring
        self._nudge = asyncio.Event()
        self._closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._looks = dict[str, asyncio.Task[None]]()
        self._not_before = dict[str, float]()
        self._threads = ThreadPoolExecutor(THREADS, "signoff-replies")

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._db.listeners.append(self._heard)
        self._task = asyncio.create_task(self._run(), name="signoff-replies")

    async def stop(self) -> None:
        """The mail in hand is seen to; the rest stays in the mailbox."""
        self._closing = True
        if self._heard in self._db.listeners:
            self._db.listeners.remove(self._heard)
        self._nudge.set()
        if self._task:
            await asyncio.wait({self._task})
        if self._looks:
            await asyncio.wait(self._looks.values(), timeout=10)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def nudge(self) -> None:
        """Look now; may be called from any thread."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._look_now)

    def _look_now(self) -> None:
        self._not_before.clear()
        self._nudge.set()

    def _heard(self, commit: Commit) -> None:
        """Called by whichever thread committed."""
        if commit.channels_changed:
            self.nudge()

    async def _run(self) -> None:
        while not self._closing:
            self._nudge.clear()
            try:
                for channel_id in await self._db.aread(lambda session: _awaiting(session, clock.now())):
                    self._begin(channel_id)
            except Exception:
                log.exception("could not look for mailboxes, trying again")
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._nudge.wait()

    def _begin(self, channel_id: str) -> None:
        now = asyncio.get_running_loop().time()
        if channel_id in self._looks or self._not_before.get(channel_id, now) > now:
            return
        task = asyncio.create_task(self._look(channel_id), name=f"replies-{channel_id}")
        self._looks[channel_id] = task
        task.add_done_callback(lambda _: self._looks.pop(channel_id, None))

    async def _look(self, channel_id: str) -> None:
        assert self._loop
        try:
            await self._loop.run_in_executor(self._threads, self._look_into, channel_id)
            self._not_before.pop(channel_id, None)
            return
        except ChannelError as error:
            log.warning("could not read replies of the channel %s: %s", channel_id, error.detail)
        except Exception:
            log.exception("could not read replies of the channel %s", channel_id)
        self._not_before[channel_id] = self._loop.time() + LOOK_AGAIN

    def _look_into(self, channel_id: str) -> None:
        at = clock.now()
        opened = self._db.read(lambda session: _opened(session, self._keyring, channel_id))
        if opened is None:
            return
        row, channel, settings = opened
        try:
            look_into(self._db, channel, settings, lambda: self._closing)
        except ChannelError as error:
            self._note(row, at, error.detail)
            raise
        self._note(row, at, None)

    def _note(self, row: Channel, at: datetime, error: str | None) -> None:
        """It is looked into every few seconds, and written only when it changed."""
        if row.mailbox_error != error:
            self._db.write(lambda session: note_mailbox(session, row.id, at, error))


def look_into(db: Database, channel: OpenChannel, settings: Mailbox, is_over: Callable[[], bool]) -> None:
    """See to every new mail. It is put aside after the commit: who dies in between finds the token used."""
    with open_mailbox(channel) as mailbox:
        for mail in mailbox.new_mails():
            if is_over():
                return
            verdict = _verdict(db, channel, settings, mail)
            if verdict is None:
                continue
            if isinstance(verdict, Refused):
                log.info("a mail to the channel %s was refused: %s", channel.id, verdict.reason)
            mailbox.put_aside(mail.uid, DONE if isinstance(verdict, Taken) else REFUSED)


def _verdict(db: Database, channel: OpenChannel, settings: Mailbox, mail: NewMail) -> Verdict | None:
    """None: it stays where it is, since it is not for us or nothing can be written now."""
    if mail.raw is None:
        return Refused(f"it is larger than {MOST_BYTES:,} bytes")
    try:
        return take(db, channel, settings, mail.raw)
    except (SQLAlchemyError, SignoffError, OSError):
        log.exception("a mail to the channel %s has to wait", channel.id)
        return None
    except Exception:
        # Else it would be tried for ever.
        log.exception("a mail to the channel %s could not be seen to", channel.id)
        return Refused("an error of ours")


def _awaiting(session: Session, at: datetime) -> list[str]:
    """Channels whose mailbox may hold a reply: nobody can answer where nobody was asked."""
    open_to_replies = exists().where(
        AnswerLink.channel_id == Channel.id, AnswerLink.purpose == REPLY, AnswerLink.expires_at > at - LATE
    )
    rows = session.scalars(select(Channel).where(Channel.kind == EMAIL, Channel.enabled, open_to_replies))
    return [row.id for row in rows if row.settings.get("replies")]


def _opened(session: Session, keyring: Keyring, channel_id: str) -> tuple[Channel, OpenChannel, Mailbox] | None:
    """None: it was removed or switched off meanwhile."""
    row = session.get(Channel, channel_id)
    if row is None or not row.enabled:
        return None
    channel = queries.opened(session, keyring, row)
    settings = channel.settings_as(EmailSettings).replies
    return (row, channel, settings) if settings else None
