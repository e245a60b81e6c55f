"""The server, as commands see it: JSON in and out, and errors that a person can read."""

import os
import uuid
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import quote, urlsplit

from signoff.kit.jsons import JsonObject

if TYPE_CHECKING:
    import httpx

DEFAULT_URL = "http://127.0.0.1:8400"
DEFAULT_DATA = Path(".signoff")
TOKEN_FILE = "cli.token"  # noqa: S105
# Where `serve` says at which address it runs.
URL_FILE = "server.url"
PAGE = 200
UPLOAD_SECONDS = 600.0
TRIES = 2


class Failure(Exception):
    """Something that the person should read; the command ends with exit code 1."""

    def __init__(self, message: str, details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.details = tuple(details)


class Unreachable(Failure):
    """No answer came."""


class Refused(Failure):
    """The server said no, and why."""

    def __init__(self, status: int, problem: JsonObject) -> None:
        wrong = cast("list[JsonObject]", problem.get("errors") or [])
        details = [": ".join(filter(None, [str(each.get("path", "")), str(each.get("message", ""))])) for each in wrong]
        if status == 401:
            details.append(
                "Pass a token with --token or SIGNOFF_TOKEN, or run this in the folder that holds the server's data."
            )
        super().__init__(
            str(problem.get("detail") or problem.get("title") or f"The server answered {status}."), details
        )
        self.status = status
        self.code = str(problem.get("code") or "")
        self.state = cast("JsonObject", problem.get("state") or {})


@dataclass(frozen=True)
class Connection:
    """Where the server is and who calls, as far as the command line says."""

    url: str | None = None
    token: str | None = None
    data: Path | None = None
    transport: "httpx.BaseTransport | None" = None

    def given(self, url: str | None, token: str | None, data: Path | None) -> "Connection":
        """What is said later on the command line wins."""
        return replace(self, url=url or self.url, token=token or self.token, data=data or self.data)

    def open(self) -> "Api":
        url = (self.url or os.environ.get("SIGNOFF_URL") or self._here()).rstrip("/")
        token = self.token or os.environ.get("SIGNOFF_TOKEN") or self._kept_token(url)
        return Api(url, token, self.transport)

    @property
    def _named_data(self) -> Path | None:
        """The data folder, where somebody said which."""
        return self.data or (Path(given) if (given := os.environ.get("SIGNOFF_DATA")) else None)

    def _here(self) -> str:
        """The server of this machine: on the port that is set, else where the one with this data folder last ran."""
        if port := os.environ.get("SIGNOFF_PORT"):
            return f"http://127.0.0.1:{port}"
        try:
            kept = ((self._named_data or DEFAULT_DATA) / URL_FILE).read_text().strip()
        except (OSError, ValueError):
            return DEFAULT_URL
        # A file that lies in the current folder by chance leads nobody's token to another machine.
        return kept if is_local(kept) else DEFAULT_URL

    def _kept_token(self, url: str) -> str | None:
        """The token that `serve` left in its data folder."""
        data = self._named_data
        # A token found by chance in the current folder is for the server on this machine, not for any other.
        if data is None and not is_local(url):
            return None
        try:
            return ((data or DEFAULT_DATA) / TOKEN_FILE).read_text().strip() or None
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Failure(f"Cannot read the token: {error}.") from None


def is_local(url: str) -> bool:
    return urlsplit(url).hostname in ("127.0.0.1", "::1", "localhost")


def path(*parts: str) -> str:
    """A path of the API, each part quoted."""
    return "/api/" + "/".join(quote(part, safe="") for part in parts)


class Api:
    """One server and one caller."""

    def __init__(self, url: str, token: str | None, transport: "httpx.BaseTransport | None" = None) -> None:
        import httpx

        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise Failure(f"{url} is not a server address. Example: {DEFAULT_URL}.")
        self.url = url
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        timeout = httpx.Timeout(30, connect=5)
        # A proxy cannot reach this machine's own server.
        proxies = not is_local(url)
        self._http = httpx.Client(
            base_url=url, headers=headers, timeout=timeout, transport=transport, trust_env=proxies
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, **params: Any) -> Any:
        return self._call("GET", path, params=_given(params))

    def post(
        self, path: str, body: JsonObject | None = None, *, key: str | None = None, seconds: float | None = None
    ) -> Any:
        """Create or decide, once, however often the request has to be sent. Some answers take longer than most."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        patience = {"timeout": seconds} if seconds else {}
        return self._call("POST", path, json=body or {}, headers=headers, **patience)

    def upload(self, path: str, files: Sequence[Path]) -> list[JsonObject]:
        """Send files as they lie on disk, once, piece by piece."""
        with ExitStack() as opened:
            try:
                parts = [("files", (each.name, opened.enter_context(each.open("rb")))) for each in files]
            except OSError as error:
                raise Failure(f"{error.filename} cannot be read: {error.strerror}.") from None
            headers = {"Idempotency-Key": str(uuid.uuid4())}
            return self._call("POST", path, files=parts, headers=headers, timeout=UPLOAD_SECONDS)["items"]

    def put(self, path: str, body: JsonObject) -> Any:
        return self._call("PUT", path, json=body)

    def patch(self, path: str, body: JsonObject) -> Any:
        return self._call("PATCH", path, json=body)

    def delete(self, path: str) -> None:
        self._call("DELETE", path)

    def items(self, path: str, limit: int, **params: Any) -> list[JsonObject]:
        """The first `limit` items of a list, over as many pages as it takes."""
        items, cursor = list[JsonObject](), None
        while len(items) < limit:
            page = self.get(path, limit=min(PAGE, limit - len(items)), cursor=cursor, **params)
            items += page["items"]
            cursor = page.get("next_cursor")
            if not cursor:
                break
        return items

    @contextmanager
    def stream(
        self, path: str, *, seconds: float = 60, last_event: str | None = None, **params: Any
    ) -> Generator["httpx.Response", None, None]:
        """An answer whose bytes come one by one; `seconds` of silence mean that the connection is lost."""
        import httpx

        headers = {"Last-Event-ID": last_event} if last_event else {}
        timeout = httpx.Timeout(30, connect=5, read=seconds)
        with (
            self._readable_errors(),
            self._http.stream("GET", path, params=_given(params), headers=headers, timeout=timeout) as answer,
        ):
            if not answer.is_success:
                answer.read()
            _check(answer)
            yield answer

    def _call(self, method: str, path: str, **request: Any) -> Any:
        with self._readable_errors():
            answer = self._send(method, path, request)
            _check(answer)
        if answer.status_code == 204 or not answer.content:
            return None
        try:
            return answer.json()
        except ValueError:
            raise Failure(f"{self.url} is not a Signoff server: it did not answer with JSON.") from None

    def _send(self, method: str, path: str, request: dict[str, Any]) -> "httpx.Response":
        import httpx

        for attempt in range(1, TRIES + 1):
            try:
                return self._http.request(method, path, **request)
            # An idle connection may be closed just as it is used again.
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                if attempt == TRIES:
                    raise
        raise AssertionError("unreachable")

    @contextmanager
    def _readable_errors(self) -> Generator[None, None, None]:
        import httpx

        try:
            yield
        except httpx.ConnectError as error:
            hint = " Start one with `signoff serve`." if is_local(self.url) else f" ({error})"
            raise Unreachable(f"No server at {self.url}.{hint}") from None
        except httpx.TimeoutException:
            raise Unreachable(f"{self.url} did not answer in time.") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Unreachable(f"Lost the connection to {self.url}: {error}") from None


def _given(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}


def _check(answer: "httpx.Response") -> None:
    if answer.is_success:
        return
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        raise Failure(f"{answer.url} answered {answer.status_code} with no explanation. Is it a Signoff server?")
    raise Refused(answer.status_code, cast("JsonObject", problem))
