"""Every error as problem+json, with a code and what to do about it."""

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from signoff.kit import jsons
from signoff.kit.db.idempotency import RepeatedRequest
from signoff.kit.db.unavailable import RETRY_SECONDS, Unavailable, unavailable
from signoff.kit.errors import Conflict, FieldError, Invalid, NotFound, SignoffError
from signoff.kit.text.field_words import field_words
from signoff.workspaces.access import OPEN, require_somebody

log = logging.getLogger(__name__)
PROBLEM = "application/problem+json"
NO_CONTENT = 204


def install(app: FastAPI) -> None:
    app.add_exception_handler(SignoffError, _known)
    app.add_exception_handler(RepeatedRequest, _replay)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(IntegrityError, _raced)
    app.add_exception_handler(DBAPIError, _away)
    app.add_exception_handler(PoolTimeout, _away)
    app.add_exception_handler(OSError, _away)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unknown)


def problem(error: SignoffError, headers: Mapping[str, str] | None = None) -> JSONResponse:
    body: dict[str, Any] = {
        "type": f"urn:signoff:{error.code}",
        "title": error.title,
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
    }
    if error.errors:
        body["errors"] = [{"path": each.path, "message": each.message} for each in error.errors]
    if error.state:
        body["state"] = error.state
    if error.status == 401:
        headers = {"WWW-Authenticate": "Bearer", **(headers or {})}
    if isinstance(error, Unavailable):
        headers = {"Retry-After": str(RETRY_SECONDS), **(headers or {})}
    return JSONResponse(jsons.whole(body), error.status, dict(headers or {}), PROBLEM)


async def _known(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, SignoffError)
    return problem(error)


async def _replay(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RepeatedRequest)
    headers = {"Idempotent-Replay": "true"}
    if error.status == NO_CONTENT:
        return Response(None, error.status, headers)
    return JSONResponse(error.body, error.status, headers)


async def _bad_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    if request.url.path.startswith("/api/") and not request.url.path.startswith(OPEN):
        # A stranger learns nothing of what a request should look like.
        try:
            await require_somebody(request)
        except SignoffError as refusal:
            return problem(refusal)
    found = [FieldError(_path(each["loc"]), field_words(each)) for each in error.errors()]
    first = f"{found[0].path}: {found[0].message}" if found else "invalid"
    return problem(Invalid(f"The request is invalid. {first}", errors=found[:50]))


def _path(place: tuple[int | str, ...]) -> str:
    """`body.limits.max_cost_credits` is reported as `limits.max_cost_credits`."""
    steps = place[1:] if place and place[0] in ("body", "query", "path") and len(place) > 1 else place
    return ".".join(str(step) for step in steps)


async def _raced(_request: Request, error: Exception) -> JSONResponse:
    log.info("a write met another one", exc_info=error)
    return problem(Conflict("Someone else changed this at the same time. Reload and try again."))


async def _away(request: Request, error: Exception) -> JSONResponse:
    found = unavailable(error)
    if found is None:
        return await _unknown(request, error)
    log.error("%s: %s", found.title, error)
    return problem(found)


class _Http(SignoffError):
    pass


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return problem(NotFound("Nothing here. Check the address."))
    http_error = _Http(str(error.detail))
    http_error.status, http_error.code, http_error.title = (
        error.status_code,
        f"http_{error.status_code}",
        str(error.detail),
    )
    return problem(http_error, error.headers)


async def _unknown(_request: Request, error: Exception) -> JSONResponse:
    log.error("a request failed by an error of our own", exc_info=error)
    return problem(SignoffError("Something went wrong in Signoff. The server log has the details."))
