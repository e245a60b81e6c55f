"""The application: routes, errors, bounds, web files."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

from fastapi import FastAPI

from signoff import __version__
from signoff.api import aliases, error_responses, workflow_aliases
from signoff.api.body_limits import BodyLimits
from signoff.api.docs_page import mount_docs
from signoff.api.event_schemas import add_events
from signoff.api.headers import OwnHeaders
from signoff.api.routes import (
    audit_routes,
    delegation_routes,
    event_routes,
    health_routes,
    hook_routes,
    invitation_routes,
    model_routes,
    sign_in_links,
    workflow_routes,
    workspace_routes,
)
from signoff.api.web_files import mount_web
from signoff.asks import routes as asks
from signoff.asks.comments import routes as comments
from signoff.catalog import routes as catalog
from signoff.catalog.providers.offered_models import ModelLists
from signoff.channels import routes as channels
from signoff.channels.accounts import routes as accounts
from signoff.channels.answer_links import routes as answer_links
from signoff.channels.discord import routes as discord
from signoff.channels.push import routes as push
from signoff.channels.slack import routes as slack
from signoff.channels.teams import routes as teams
from signoff.channels.telegram import routes as telegram
from signoff.deliverables import routes as deliverables
from signoff.files import routes as files
from signoff.files.stores import FileStore
from signoff.gate import routes as gate
from signoff.insights import allowance_routes as allowances
from signoff.insights import routes as insights
from signoff.kit.db.database import Database
from signoff.kit.db.live_events import Hub
from signoff.kit.jsons import JsonObject
from signoff.kit.rate_limits import Rate
from signoff.kit.settings import Settings
from signoff.knowledge import routes as knowledge
from signoff.lessons import routes as lessons
from signoff.memory import routes as memory
from signoff.notifications import routes as notifications
from signoff.rules import routes as rules
from signoff.runs import routes as runs
from signoff.runs.granting import routes as granting
from signoff.runs.pause_all import routes as pause_all
from signoff.schedules import routes as schedules
from signoff.tools import folder_routes as folder
from signoff.tools import routes as tools
from signoff.tools import step_routes as steps
from signoff.tools.connections import routes as connections
from signoff.tools.connections import sign_in_return
from signoff.tools.connections.available import ConnectionTools, granted_tool
from signoff.tools.registry import Registry
from signoff.tools.tool_impacts import tool_impacts
from signoff.tools.tool_previews import tool_previews
from signoff.tools.undo import routes as undo
from signoff.workspaces import groups, profile
from signoff.workspaces import routes as workspaces
from signoff.workspaces.sign_in import routes as sign_in_routes
from signoff.workspaces.sign_in.attempts import Attempts

ROUTERS = (
    workspaces.router,
    sign_in_routes.router,
    invitation_routes.router,
    profile.router,
    sign_in_links.router,
    delegation_routes.router,
    workspace_routes.router,
    catalog.router,
    model_routes.router,
    tools.router,
    files.router,
    folder.router,
    steps.router,
    runs.router,
    workflow_routes.router,
    hook_routes.router,
    granting.router,
    connections.router,
    sign_in_return.router,
    undo.router,
    pause_all.router,
    schedules.router,
    asks.router,
    comments.router,
    insights.router,
    allowances.router,
    gate.router,
    rules.router,
    lessons.router,
    knowledge.router,
    memory.router,
    groups.router,
    deliverables.router,
    notifications.router,
    channels.router,
    answer_links.router,
    push.router,
    slack.router,
    teams.router,
    telegram.router,
    discord.router,
    accounts.router,
    audit_routes.router,
    event_routes.router,
    health_routes.router,
    aliases.router,
    workflow_aliases.router,
)
Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def _nothing(_app: FastAPI) -> AsyncGenerator[None]:
    yield


class Application(FastAPI):
    """FastAPI, whose document also says what events look like."""

    def openapi(self) -> JsonObject:
        if self.openapi_schema is None:
            self.openapi_schema = add_events(super().openapi())
        return self.openapi_schema


def create_app(
    settings: Settings,
    db: Database,
    hub: Hub,
    registry: Registry,
    connected: ConnectionTools,
    store: FileStore,
    lifespan: Lifespan = _nothing,
) -> FastAPI:
    """Put the application together; `main` gives it its parts."""
    app = Application(
        title="Signoff",
        version=__version__,
        description="AI agents work on their own and stop where a person should decide.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.state.settings, app.state.db, app.state.hub = settings, db, hub
    app.state.registry, app.state.connection_tools, app.state.store = registry, connected, store
    app.state.attempts = Attempts()
    app.state.model_lists, app.state.model_tests = ModelLists(), Rate(seconds=60)
    app.state.channel_tests, app.state.answer_posts = Rate(seconds=60), Rate(seconds=60)
    app.state.connection_tests, app.state.hook_starts = Rate(seconds=60), Rate(seconds=60)
    app.state.wrong_link_codes = Rate(seconds=60)
    # What lies below the tools in the order of imports still needs their arguments' shape, impact and preview.
    app.state.tool_schemas = registry.schemas
    app.state.tool_impacts = partial(tool_impacts, registry, settings.runs_folder, partial(granted_tool, connected, db))
    app.state.tool_previews = partial(tool_previews, registry, connected, settings, db)
    error_responses.install(app)
    mount_docs(app)
    for router in ROUTERS:
        # Including them would build every route a second time, at the first request.
        app.router.routes.extend(router.routes)
    mount_web(app)
    app.add_middleware(BodyLimits, most=settings.max_body_bytes, most_files=settings.max_folder_bytes)
    app.add_middleware(OwnHeaders)
    return app
