"""Who calls, and one transaction per request: a route hands over its work, and it runs as the caller in one hop."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Request, Response, Security, WebSocket
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session
from starlette.requests import HTTPConnection

from signoff.kit.actor import Actor, Role
from signoff.kit.db import idempotency
from signoff.kit.db.database import Database
from signoff.kit.db.unavailable import unavailable, was_rolled_back
from signoff.kit.errors import Unauthorized
from signoff.kit.settings import Settings
from signoff.workspaces import credentials, queries
from signoff.workspaces.origin import SAFE_METHODS, require_our_page, require_our_socket
from signoff.workspaces.sign_in.attempts import Attempts

T = TypeVar("T")
Work = Callable[[Session, Actor], T]
COOKIE = "signoff_session"
# Where strangers come to be strangers no longer.
OPEN = ("/api/auth/sign-in", "/api/auth/sign-out", "/api/auth/invitation", "/api/auth/links/mail")
MULTIPART = "multipart/form-data"
TRIES = 3
SESSION_SECONDS = credentials.SESSION_DAYS * 24 * 3600
# What is accepted in the header, and what in the cookie.
GOOD_FOR = {queries.TOKEN: (queries.TOKEN, queries.ROOT), queries.SESSION: (queries.SESSION,)}


class OtherWorkspace(Unauthorized):
    """The page is of one workspace and the cookie, since another tab went there, of another."""

    code = "other_workspace"


@dataclass(frozen=True)
class Access:
    """The caller of one request, not looked up yet."""

    db: Database
    settings: Settings
    attempts: Attempts
    bearer: str | None
    cookie: str | None
    address: str | None
    status: int
    key: str | None
    fingerprint: str
    # Where the page thinks that it is.
    workspace: str | None = None

    def read(self, work: Work[T], role: Role = Role.VIEWER) -> T:
        """Run a query as the caller."""
        return self.db.read(lambda session: work(session, self.actor(session, role)))

    def write(self, work: Work[T], role: Role = Role.MEMBER) -> T:
        """Run an action as the caller, once per Idempotency-Key."""

        def transaction(session: Session) -> T:
            actor = self.actor(session, role)
            if self.key is None:
                return work(session, actor)
            idempotency.claim_key(session, actor, self.key, self.fingerprint)
            result = work(session, actor)
            idempotency.store_response(session, actor, self.key, self.status, result)
            return result

        for _ in range(TRIES - 1):
            try:
                return self.db.write(transaction)
            except OperationalError as error:
                if not was_rolled_back(error):
                    raise
        return self.db.write(transaction)

    def sign_in_url(self, secret: str) -> str:
        """Where somebody goes with a link or an invitation."""
        return f"{self.settings.base_url}/sign-in?token={secret}"

    def actor(self, session: Session, role: Role) -> Actor:
        """Look the caller up, and see that they may."""
        secret, kind = self.bearer or self.cookie, queries.TOKEN if self.bearer else queries.SESSION
        if secret is None:
            raise Unauthorized("Send a token as `Authorization: Bearer …`, or sign in.")
        found = queries.holder(session, secret, self.settings.token)
        if found is None or found[0].kind not in GOOD_FOR[kind]:
            if self.bearer:
                self.attempts.wrong_tokens.count(f"{self.address}", self.settings.wrong_tokens_per_minute)
            raise Unauthorized("The token or session is invalid or has expired.")
        credential, member = found
        if credential.kind == queries.ROOT:
            self._require_no_guesser()
        if self.workspace not in (None, member.workspace_id):
            raise OtherWorkspace("You switched to another workspace. Reload this page.")
        actor = queries.actor_of(session, member, kind, self.address, credential)
        actor.require(role)
        return actor

    def _require_no_guesser(self) -> None:
        """People choose `SIGNOFF_TOKEN`: from an address that guesses it is taken only if it was shown there lately."""
        address = f"{self.address}"
        if not self.attempts.root_seen.has(address):
            self.attempts.wrong_tokens.refuse_full(address, self.settings.wrong_tokens_per_minute)
        self.attempts.root_seen.note(address)


TOKEN = HTTPBearer(auto_error=False, description="An API token: `signoff tokens create NAME`.")


async def access(
    request: Request, token: Annotated[HTTPAuthorizationCredentials | None, Security(TOKEN)] = None
) -> Access:
    """Collect what identifies the caller. The look-up shares the request's own transaction."""
    state = request.app.state
    bearer = token.credentials if token else None
    cookie = request.cookies.get(COOKIE)
    changes = request.method not in SAFE_METHODS
    if cookie and not bearer and changes:
        require_our_page(request.headers, state.settings)
    key = request.headers.get("idempotency-key") if changes else None
    fingerprint = ""
    # A body of files is never in memory: its route takes the fingerprint of what arrived.
    if key and not request.headers.get("content-type", "").startswith(MULTIPART):
        body = f"{request.method} {request.url.path}\n".encode() + await request.body()
        # There may be a password in it: who reads the row must not be able to try them all.
        fingerprint = state.keyring.fingerprint(body)
    route = request.scope.get("route")
    return Access(
        db=state.db,
        settings=state.settings,
        attempts=state.attempts,
        bearer=bearer,
        cookie=cookie,
        address=request.client.host if request.client else None,
        status=getattr(route, "status_code", None) or 200,
        key=key,
        fingerprint=fingerprint,
        workspace=request.headers.get("x-signoff-workspace"),
    )


def keep_session(response: Response, settings: Settings, secret: str) -> None:
    """Give the browser its session."""
    response.set_cookie(
        COOKIE, secret, max_age=SESSION_SECONDS, httponly=True, samesite="strict", secure=settings.by_https
    )


def listener(socket: WebSocket) -> Access:
    """Who opens a WebSocket."""
    bearer, cookie = _shown(socket)
    if cookie and not bearer:
        require_our_socket(socket.headers, socket.app.state.settings)
    return _only_looks(socket)


async def require_somebody(connection: HTTPConnection) -> None:
    """See that the caller is anybody at all, before more is done for them; what they may is asked later."""
    caller = _only_looks(connection)
    if caller.cookie and not caller.bearer:
        require_our_page(connection.headers, caller.settings)
    try:
        await caller.db.aread(lambda session: caller.actor(session, Role.VIEWER))
    except (DBAPIError, PoolTimeout, OSError) as trouble:
        raise unavailable(trouble) or trouble from trouble


def _only_looks(connection: HTTPConnection) -> Access:
    """The caller by headers alone, for whom nothing is written."""
    bearer, cookie = _shown(connection)
    return Access(
        db=connection.app.state.db,
        settings=connection.app.state.settings,
        attempts=connection.app.state.attempts,
        bearer=bearer,
        cookie=cookie,
        address=connection.client.host if connection.client else None,
        status=200,
        key=None,
        fingerprint="",
    )


def _shown(connection: HTTPConnection) -> tuple[str | None, str | None]:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return (token if scheme.lower() == "bearer" and token else None), connection.cookies.get(COOKIE)


Caller = Annotated[Access, Depends(access)]
