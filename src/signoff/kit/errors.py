"""Errors with a status and a code; `api` turns them into problem+json."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FieldError:
    """One thing that is wrong with the input, and where."""

    path: str
    message: str


class SignoffError(Exception):
    """The base of every error that a caller may see."""

    status = 500
    code = "internal_error"
    title = "Something went wrong"

    def __init__(
        self, detail: str, *, errors: Sequence[FieldError] = (), state: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = tuple(errors)
        self.state = dict(state or {})


class Unauthorized(SignoffError):
    status = 401
    code = "unauthorized"
    title = "Sign in first"


class Forbidden(SignoffError):
    status = 403
    code = "forbidden"
    title = "Not allowed"


class NotFound(SignoffError):
    """Not there, or not yours: the caller cannot tell which."""

    status = 404
    code = "not_found"
    title = "Not found"


class Conflict(SignoffError):
    """The state does not allow it; the current state is in the body."""

    status = 409
    code = "conflict"
    title = "The current state does not allow this"


class TooLarge(SignoffError):
    status = 413
    code = "too_large"
    title = "Too large"


class UnsupportedMedia(SignoffError):
    status = 415
    code = "unsupported_media_type"
    title = "Unsupported content type"


class Invalid(SignoffError):
    status = 422
    code = "invalid"
    title = "Invalid input"


class TooMany(SignoffError):
    status = 429
    code = "too_many"
    title = "Too many requests"


class CannotStart(SignoffError):
    """The settings, or what is on disk, do not let this process start; the text says what to do."""

    code = "cannot_start"
