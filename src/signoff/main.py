"""The composition root: settings → database → engine → app. The only place that knows all."""

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from fastapi import FastAPI
from sqlalchemy.orm import Session

from signoff import migrations
from signoff.api.app import create_app
from signoff.asks.deadlines import expiry
from signoff.asks.effects import attendance
from signoff.audit.actions import sealed_by
from signoff.audit.anchor_writer import ANCHOR_FILE, KEY_FILE, NEW_KEY_FILE, AnchorWriter, Places, sealer_for
from signoff.catalog import agent_files
from signoff.channels.answer_links import tokens as answer_links
from signoff.channels.delivering import claim as deliveries
from signoff.channels.delivering.deliverer import Deliverer
from signoff.channels.delivering.prepare import Preparation
from signoff.channels.email.replies.reader import ReplyReader
from signoff.channels.push.vapid import make_key
from signoff.deliverables.orphans import OrphanFiles
from signoff.engine.context import CrashPoint, EngineContext, pass_by
from signoff.engine.model.trial import try_model
from signoff.engine.worker.agent_replies import AgentReplies
from signoff.engine.worker.local import LocalEngine
from signoff.engine.worker.owner import is_dead, this_owner
from signoff.engine.worker.port import Engine, listener_for
from signoff.engine.worker.timers import DueRows, Every, Source, Timers
from signoff.engine.worker.warm_up import WarmUp
from signoff.files import actions as files
from signoff.files.stores import FileStore, store_for
from signoff.kit import private_files
from signoff.kit.actor import Actor
from signoff.kit.db import events, idempotency
from signoff.kit.db.database import Database
from signoff.kit.db.live_events import Hub
from signoff.kit.db.other_processes import Relay, Watcher
from signoff.kit.errors import CannotStart
from signoff.kit.settings import Settings
from signoff.notifications import actions as notifications
from signoff.rules.file_watcher import RuleFileWatcher
from signoff.runs import actions as runs
from signoff.runs.schemas import RunIn
from signoff.schedules import firing
from signoff.secrets.keyring import KEY_FILE as SECRET_KEY_FILE
from signoff.secrets.keyring import Keyring, keyring_for
from signoff.secrets.rotation import rotate
from signoff.tools.builtin import builtin_registry
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.connections.email.own_mail import send_email_tool
from signoff.tools.connections.mcp.pool import POOL
from signoff.tools.own.entry_points import add_installed
from signoff.tools.own.folder import own_tools_folder
from signoff.tools.own.watcher import OwnTools
from signoff.workflows.ready import install as ready_workflows
from signoff.workspaces import actions as workspaces
from signoff.workspaces import credentials
from signoff.workspaces import queries as people
from signoff.workspaces.models import Member, User

if TYPE_CHECKING:
    from socket import socket

    import uvicorn

ADMIN_EMAIL = "admin@localhost"
CLI_TOKEN = "cli.token"  # noqa: S105
# Where the server was reached when it started last: a link made beside it leads there, whatever port it was given.
SERVED_AT = "server.url"
# They write down every address they ask for, with whatever keys and texts stand in it.
TALKATIVE = ("httpx", "httpx2", "httpcore", "httpcore2", "openai", "anthropic", "google_genai", "alembic", "mcp")
TIDY_EVERY = timedelta(hours=1)
DEMO_TASK = "Compare three vendors of standing desks for the new office, and tell the team."


@dataclass(frozen=True)
class Parts:
    """One process's parts, put together."""

    settings: Settings
    db: Database
    hub: Hub
    watcher: Watcher
    context: EngineContext
    engine: Engine
    timers: Timers
    agent_replies: AgentReplies
    deliverer: Deliverer
    reply_reader: ReplyReader
    attendance: Timers
    rules: RuleFileWatcher | None
    own_tools: OwnTools
    anchor_writer: AnchorWriter
    keyring: Keyring


def assemble(settings: Settings, crash_point: CrashPoint = pass_by) -> Parts:
    """Open the database and put the parts together; nothing runs yet."""
    db, anchor_writer = _open(settings)
    hub, keyring = Hub(db), keyring_for(settings)
    registry, store = builtin_registry(settings), store_for(settings)
    connections = ConnectionTools(db, keyring)
    registry.register(send_email_tool(connections))
    add_installed(registry)
    own_tools = OwnTools(registry, own_tools_folder(settings))
    context = EngineContext(db, settings, registry, store, hub, connections, crash_point)
    engine = LocalEngine(context)
    db.listeners.append(listener_for(engine))
    rules = RuleFileWatcher(db, settings.rules) if settings.rules else None
    prepare = Preparation(keyring, partial(_served_at, settings))
    deliverer = Deliverer(db, prepare, this_owner(), is_dead, crash_point)
    timers = Timers(db, _due_sources(settings, store))
    attending = Timers(db, [DueRows(attendance.NAME, attendance.due, attendance.run_due, attendance.next_time)])
    workers = (engine, timers, AgentReplies(context), deliverer, ReplyReader(db, keyring), attending)
    return Parts(settings, db, hub, Watcher(db, hub), context, *workers, rules, own_tools, anchor_writer, keyring)


def _due_sources(settings: Settings, store: FileStore) -> list[Source]:
    """Everything that time does to rows."""
    return [
        DueRows("asks", expiry.due, expiry.run_due, expiry.next_time),
        DueRows("schedules", firing.due, firing.run_due, firing.next_time, firing.failed),
        Every("idempotency keys", TIDY_EVERY, idempotency.forget),
        Every("credentials", TIDY_EVERY, credentials.forget_expired),
        Every("answer links", TIDY_EVERY, answer_links.forget_old),
        Every("deliveries", TIDY_EVERY, deliveries.forget_old),
        Every("notifications", TIDY_EVERY, partial(notifications.forget_old, kept=deliveries.KEPT)),
        Every("files", TIDY_EVERY, partial(files.forget_old, settings=settings)),
        OrphanFiles(store),
    ]


def _open(settings: Settings) -> tuple[Database, AnchorWriter]:
    """The database and who seals its record, with the data folder closed to other accounts first."""
    keys = (CLI_TOKEN, KEY_FILE, NEW_KEY_FILE, ANCHOR_FILE, SECRET_KEY_FILE)
    names = ("signoff.db", "signoff.db-wal", "signoff.db-shm", *keys)
    folders = (settings.runs_folder, settings.undo_folder, settings.files_folder, settings.uploads_folder)
    private_files.guard(settings.data, [*folders, *(settings.data / name for name in names)])
    sealer, places = sealer_for(settings), Places.of(settings)
    db = Database(settings.url, finishers=(sealed_by(sealer), events.finish))
    return db, AnchorWriter(db, sealer, places)


def application(parts: Parts, warm_up: WarmUp | None = None) -> FastAPI:
    """The web side, with the engine inside unless the settings leave that to workers."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        app.state.engine = parts.engine if parts.settings.workers else None
        await parts.attendance.start()
        await _start(parts, works=parts.settings.workers)
        if warm_up:
            warm_up.start()
        yield
        await parts.attendance.stop()
        await _stop(parts, warm_up)

    tools = (parts.context.registry, parts.context.connections)
    app = create_app(parts.settings, parts.db, parts.hub, *tools, parts.context.store, lifespan)
    app.state.anchor_writer = parts.anchor_writer
    app.state.keyring = parts.keyring
    app.state.own_tools = parts.own_tools
    app.state.test_model = partial(try_model, parts.context.models)
    return app


async def _start(parts: Parts, *, works: bool) -> None:
    await parts.hub.start()
    parts.watcher.start()
    parts.anchor_writer.start()
    # What people keep in files counts before any run goes on.
    if parts.rules:
        await asyncio.to_thread(parts.rules.start)
    await asyncio.to_thread(parts.own_tools.start)
    if works:
        for each in (parts.engine, parts.timers, parts.agent_replies, parts.deliverer, parts.reply_reader):
            await each.start()


async def _stop(parts: Parts, warm_up: WarmUp | None) -> None:
    if warm_up:
        await warm_up.stop()
    if parts.settings.workers:
        for each in (parts.timers, parts.agent_replies, parts.engine, parts.deliverer, parts.reply_reader):
            await each.stop()
    else:
        # Tests of models open some here as well.
        await parts.context.models.close()
    await asyncio.to_thread(POOL.close)
    await parts.hub.stop()
    for each in (parts.watcher, parts.rules, parts.own_tools, parts.anchor_writer):
        if each:
            await asyncio.to_thread(each.stop)


def prepare(parts: Parts) -> str | None:
    """Migrate; at first start make the workspace, its admin and the demo. Then, the sign-in link's secret."""
    parts.context.store.check_at_start()
    migrations.migrate(parts.db)
    parts.anchor_writer.check_at_start()
    parts.db.write(lambda session: make_key(session, parts.keyring))
    return parts.db.write(lambda session: _first_start(session, parts.settings))


def _first_start(session: Session, settings: Settings) -> str | None:
    workspace = people.first_workspace(session)
    secret = None
    if workspace is None:
        admin = workspaces.found(session, "Home", ADMIN_EMAIL, "Admin")
        session.get_one(User, admin.user_id).installation_admin = True
        workspace = admin.workspace_id
        secret = credentials.issue_link(session, Actor.system(admin.workspace_id), admin)
        _leave_token(session, settings, admin)
        if settings.demo:
            agent_files.load(session, Actor.system(admin.workspace_id), agent_files.SHIPPED)
            demo = RunIn(agent="competitive-analysis", task=DEMO_TASK, title="Standing desks for the new office")
            runs.start(session, people.actor_of(session, admin, "system"), demo)
    if settings.demo:
        ready_workflows.install_everywhere(session)
    if settings.token:
        credentials.sync_root_credential(session, workspaces.root(session, workspace), settings.token)
    if settings.agents is not None:
        agent_files.load(session, Actor.system(workspace), settings.agents)
    return secret


def _leave_token(session: Session, settings: Settings, admin: Member) -> None:
    """A token for the command line of whoever owns the data folder, readable by them alone."""
    _, secret = credentials.issue_token(session, Actor.system(admin.workspace_id), admin, "command line", [], None)
    private_files.put(private_files.folder(settings.data) / CLI_TOKEN, secret + "\n")


def migrate(settings: Settings) -> None:
    private_files.restrict_new_files()
    db, anchor_writer = _open(settings)
    migrations.migrate(db)
    anchor_writer.check_at_start()
    db.close()


def adopt(settings: Settings) -> int:
    """Seal records that have no seal at all, on the word of whoever owns the key. How many there were."""
    private_files.restrict_new_files()
    db, anchor_writer = _open(settings)
    migrations.migrate(db)
    adopted = anchor_writer.adopt()
    db.close()
    return adopted


def rotate_secrets(settings: Settings) -> int:
    """Seal the stored secrets with a new key, beside a server that runs or without one. How many there were."""
    private_files.restrict_new_files()
    if not settings.secret_key and not (settings.data / SECRET_KEY_FILE).exists():
        where = "Name the server's data folder by --data or SIGNOFF_DATA."
        raise CannotStart(f"There is no {SECRET_KEY_FILE} in {settings.data}. {where}")
    db, anchor_writer = _open(settings)
    try:
        migrations.migrate(db)
        anchor_writer.check_at_start()
        return rotate(db, settings)
    finally:
        db.close()


def recover(settings: Settings, email: str, workspace: str | None) -> str | None:
    """A link by which a member gets back in and may set a password, made by whoever owns the database."""
    private_files.restrict_new_files()
    parts = assemble(settings)
    migrations.migrate(parts.db)
    parts.anchor_writer.check_at_start()

    def work(session: Session) -> str | None:
        member = _member_to_recover(session, email, workspace)
        return credentials.issue_link(session, Actor.system(member.workspace_id), member) if member else None

    try:
        secret = parts.db.write(work)
    finally:
        parts.db.close()
    return f"{_served_at(settings)}/sign-in?token={secret}" if secret else None


def _member_to_recover(session: Session, email: str, workspace: str | None) -> Member | None:
    """An address may be another account's in each workspace."""
    places = [people.places(session, each.id) for each in people.accounts(session, email)]
    if workspace is not None:
        named = [member for place in places for member, at in place if workspace in (at.id, at.name)]
        if len(named) > 1:
            ids = ", ".join(sorted(member.workspace_id for member in named))
            raise CannotStart(f"{email} is in several workspaces of that name; give an id to --workspace: {ids}.")
        return named[0] if named else None
    if len(places) > 1:
        names = ", ".join(sorted({at.name for place in places for _, at in place}))
        raise CannotStart(f"{email} has several accounts here; choose one with --workspace: {names}.")
    return places[0][0][0] if places else None


def _served_at(settings: Settings) -> str:
    """What the settings say, else where the server last ran."""
    kept = settings.data / SERVED_AT
    is_said = settings.public_url or settings.model_fields_set & {"host", "port"}
    return settings.base_url if is_said or not kept.is_file() else kept.read_text().strip()


def server_config(parts: Parts, warm_up: WarmUp | None = None) -> "uvicorn.Config":
    """How we listen. Who says to speak for somebody else is believed only if the settings name them."""
    import uvicorn

    settings = parts.settings
    return uvicorn.Config(
        application(parts, warm_up),
        settings.host,
        settings.port,
        log_level="warning",
        timeout_graceful_shutdown=3,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
    )


def _server(parts: Parts, warm_up: WarmUp | None, secret: str | None) -> "uvicorn.Server":
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: "list[socket] | None" = None) -> None:
            await super().startup(sockets)
            # Not before it listens: the port may be another program's.
            _welcome(parts.settings, secret)

        async def shutdown(self, sockets: "list[socket] | None" = None) -> None:
            # Open pages follow the stream: they would be waited for, and then cut off with an error each.
            parts.hub.end_streams()
            await super().shutdown(sockets)

    return Server(server_config(parts, warm_up))


def serve(settings: Settings) -> None:
    """Run the web side and, unless the settings say otherwise, the engine, until a signal comes."""
    private_files.restrict_new_files()
    _log()
    parts = assemble(settings)
    secret = prepare(parts)
    warm_up = WarmUp(parts.context) if settings.workers else None
    _server(parts, warm_up, secret).run()
    parts.db.close()


def work(settings: Settings) -> None:
    """Run an engine without the web side, until a signal comes."""
    private_files.restrict_new_files()
    _log()
    parts = assemble(settings)
    prepare(parts)
    asyncio.run(_work(parts))
    parts.db.close()


async def _work(parts: Parts) -> None:
    done, warm_up = asyncio.Event(), WarmUp(parts.context)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, done.set)
    parts.hub.relay = relay = Relay(parts.db)
    await _start(parts, works=True)
    _say("Signoff worker is running. Stop it with Ctrl-C.")
    warm_up.start()
    await done.wait()
    await _stop(parts, warm_up)
    relay.stop()


def _log() -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)


def _welcome(settings: Settings, secret: str | None) -> None:
    # A data folder that cannot be written keeps nobody from serving.
    with suppress(OSError):
        private_files.put(private_files.folder(settings.data) / SERVED_AT, settings.base_url + "\n")
    _say(f"Signoff runs at {settings.base_url}  (data in {settings.data}; stop with Ctrl-C)")
    link = f"Sign in once with this link:\n\n    {settings.base_url}/sign-in?token={secret}\n"
    _say(link if secret else "To sign in on a new device, get a link with `signoff link`.")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
