"""Questions to agents: taken up one by one, beside the runs, and kept in the rows until they are answered."""

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta

from sqlalchemy.orm import Session

from signoff.asks.comments import replies
from signoff.asks.comments.models import Comment
from signoff.asks.comments.replies import Reply, ReplyClaim
from signoff.asks.comments.states import ReplyState
from signoff.asks.models import Ask
from signoff.engine.context import EngineContext
from signoff.engine.loop.answer_question import answer_question
from signoff.engine.worker.owner import is_dead, this_owner
from signoff.kit.clock import now
from signoff.kit.db.database import Commit
from signoff.runs.extra_cost import add_cost

log = logging.getLogger(__name__)

AT_ONCE = 8
# Only a safety net, for what another process left: what is asked here is heard of.
LONGEST_SLEEP = 15.0
# A question that so many processes died over is given up.
TRIES_ALLOWED = 3


class AgentReplies:
    """One per process that works. The row decides who answers; a process that dies leaves the question to others."""

    def __init__(self, engine: EngineContext) -> None:
        self._engine = engine
        self._owner = this_owner()
        self._lease = timedelta(seconds=engine.settings.lease_seconds)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._nudge = asyncio.Event()
        self._closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._engine.db.listeners.append(self._heard)
        for owner in await self._engine.db.aread(replies.owners):
            if is_dead(owner):
                await self._engine.db.awrite(lambda s, owner=owner: replies.free_dead(s, owner))
        self._looking = asyncio.create_task(self._look(), name="signoff-agent-replies")

    async def stop(self) -> None:
        """Drop the requests under way; their questions stay, for whoever comes next."""
        self._closing = True
        if self._heard in self._engine.db.listeners:
            self._engine.db.listeners.remove(self._heard)
        self._nudge.set()
        if self._looking:
            await asyncio.wait({self._looking})
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _heard(self, commit: Commit) -> None:
        """Called by whichever thread committed."""
        may_be_ours = commit.from_elsewhere or (commit.due is not None and commit.due <= now())
        if may_be_ours and self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._nudge.set)

    async def _look(self) -> None:
        while not self._closing:
            self._nudge.clear()
            try:
                await self._take()
                await self._count()
                pause = LONGEST_SLEEP
            except Exception:
                log.exception("could not look for questions to agents, trying again")
                pause = 1.0
            if not self._nudge.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._nudge.wait()

    async def _take(self) -> None:
        room, at = AT_ONCE - len(self._tasks), now()
        for reply_id in await self._engine.db.aread(lambda s: replies.due(s, at, room)) if room > 0 else ():
            until = now() + self._lease
            claimed = await self._engine.db.awrite(
                lambda s, each=reply_id, until=until: replies.claim(s, each, self._owner, at, until)
            )
            if claimed is not None:
                self._tasks[reply_id] = asyncio.create_task(self._answer(claimed), name=f"reply-{reply_id}")

    async def _answer(self, claimed: ReplyClaim) -> None:
        keeping = asyncio.create_task(self._keep(claimed))
        try:
            if claimed.tries > TRIES_ALLOWED:
                reply = Reply(ReplyState.FAILED, f"The worker crashed {TRIES_ALLOWED} times in a row while answering.")
            else:
                reply = await answer_question(self._engine, claimed.reply_id)
            await self._engine.db.awrite(lambda s: _store(s, claimed, reply))
        except asyncio.CancelledError:
            await self._engine.db.awrite(lambda s: replies.release(s, claimed))
            raise
        except Exception:
            # The database is away, or the ask is gone: its lease ends by itself and it is taken up again.
            log.exception("the reply %s was dropped", claimed.reply_id)
        finally:
            keeping.cancel()
            del self._tasks[claimed.reply_id]
            # Others may have waited for room.
            self._nudge.set()

    async def _keep(self, claimed: ReplyClaim) -> None:
        """A model may take longer than the lease."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            with suppress(Exception):
                await self._engine.db.awrite(lambda s: replies.renew(s, claimed, now() + self._lease))

    async def _count(self) -> None:
        """What was used while a worker held the run."""
        for reply_id in await self._engine.db.aread(lambda s: replies.uncounted(s, AT_ONCE)):
            await self._engine.db.awrite(lambda s, each=reply_id: _count(s, each))


def _store(session: Session, claimed: ReplyClaim, reply: Reply) -> None:
    ask = session.get_one(Ask, session.get_one(Comment, claimed.reply_id).ask_id)
    if replies.finish(session, claimed, ask, reply):
        _count(session, claimed.reply_id)


def _count(session: Session, reply_id: str) -> None:
    """Put a reply's cost on its run, once, whoever else tries to."""
    reply = session.get_one(Comment, reply_id, populate_existing=True)
    run_id = session.get_one(Ask, reply.ask_id).run_id
    if run_id is None or not replies.mark_counted(session, reply_id):
        return
    counted = add_cost(
        session,
        run_id,
        tokens_input=reply.tokens_input,
        tokens_output=reply.tokens_output,
        cost_credits=reply.cost_credits,
        cost_incomplete=reply.cost_incomplete,
    )
    if not counted:
        replies.mark_uncounted(session, reply_id)
