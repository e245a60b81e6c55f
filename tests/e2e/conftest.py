"""A real server, a real Chromium, and a guard that no page breaks or calls out."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import APIRequestContext, Browser, BrowserContext, Page, expect, sync_playwright

from signoff.kit.settings import Settings
from tests.e2e.people import signed_in_as
from tests.e2e.scripted import Scripted, scripted_model
from tests.house import House
from tests.ports import free_port
from tests.wire import Model

CHROMIUM = Path(os.environ.get("SIGNOFF_CHROMIUM", "/usr/bin/chromium"))
# A name for this machine that is not localhost: nothing of it is trusted more than any plain http.
HOST = "signoff.test"
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--disable-gpu",
    # Pages of one person share a process, which has compiled the app already.
    "--process-per-site",
    f"--host-resolver-rules=MAP {HOST} 127.0.0.1",
]
# What never leaves the browser; its own reader of PDFs is made of pages.
INSIDE = ("data:", "blob:", "chrome:", "chrome-extension:", "chrome-untrusted:")
TOKEN = "e2e-admin-token-0123456789abcdef"
START_SECONDS = 90
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}

expect.set_options(timeout=25_000)


@dataclass
class Server:
    url: str
    link: str
    folder: Path
    # The ones that a test may kill have a process of their own.
    process: "subprocess.Popen[str] | None" = None


@dataclass
class Guard:
    """Collects what must not happen in a page. A test names the console errors that it provokes."""

    origin: str
    allowed: list[str] = field(default_factory=list[str])
    errors: list[str] = field(default_factory=list[str])
    outside: list[str] = field(default_factory=list[str])

    def watch(self, context: BrowserContext) -> None:
        context.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("request", lambda request: self._note(request.url))

    def _note(self, url: str) -> None:
        if not url.startswith((f"{self.origin}/", *INSIDE)):
            self.outside.append(url)

    def check(self) -> None:
        """Then it begins anew."""
        errors, outside = self.errors, self.outside
        self.errors, self.outside = [], []
        unexpected = [error for error in errors if not any(re.search(pattern, error) for pattern in self.allowed)]
        assert unexpected == [], "errors in the browser's console"
        assert outside == [], "requests that left the origin"


def pytest_itemcollected(item: pytest.Item) -> None:
    """A browser on a busy machine is sometimes too slow to be seen. What fails twice is broken; a second try is named
    in the summary."""
    item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all that a worker does here. It leaves with the last test: while it lives, no other loop may run."""
    if not CHROMIUM.exists():
        pytest.fail(f"Chromium is missing at {CHROMIUM}: install it (apt-get install chromium) or set SIGNOFF_CHROMIUM")
    # Chromium refuses its sandbox to root.
    arguments = [*QUIET, "--no-sandbox"] if os.geteuid() == 0 else QUIET
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    """The model behind every agent that a test makes itself."""
    with scripted_model() as model:
        yield model


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: Model) -> Iterator[Server]:
    """One server for all tests that start their own runs; in this process, since importing it takes seconds."""
    folder = tmp_path_factory.mktemp("e2e")
    with serving(folder, model, Settings(data=folder / "data", token=TOKEN)) as server:
        yield server


@contextmanager
def serving(folder: Path, model: Model, settings: Settings) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", model.url)
        with House(settings, model) as house:
            yield Server(house.url, f"{house.url}/sign-in?token={house.secret}", folder)


@pytest.fixture(scope="module")
def scripted(server: Server, model: Model) -> Iterator[Scripted]:
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=40) as client:
        yield Scripted(client, model)


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """A first start: nobody has used the link, and the demo run waits."""
    with House(Settings(data=tmp_path / "data", token=TOKEN), Model()) as house:
        yield Server(house.url, f"{house.url}/sign-in?token={house.secret}", tmp_path)


@contextmanager
def running_server(folder: Path, port: int | None = None, **more: str) -> Iterator[Server]:
    port = port or free_port()
    command = [sys.executable, "-m", "signoff", "serve", "--port", str(port), "--data", str(folder / "data")]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SIGNOFF_")}
    environment |= {"SIGNOFF_TOKEN": TOKEN, "PYTHONUNBUFFERED": "1", **more}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(process.stdout or ()), daemon=True)
    reader.start()
    try:
        yield _ready(process, f"http://127.0.0.1:{port}", lines, folder)
    finally:
        process.terminate()
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join(timeout=5)
        if process.stdout:
            process.stdout.close()


def _ready(process: "subprocess.Popen[str]", url: str, lines: list[str], folder: Path) -> Server:
    """Wait until the server answers and, at its first start, has printed its link."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        link = next(
            (found for line in list(lines) if (found := re.search(r"https?://\S+/sign-in\?token=[^\s\x1b]+", line))),
            None,
        )
        again = (folder / "started").exists()
        if (link or again) and _answers(f"{url}/readyz"):
            (folder / "started").touch()
            return Server(url, link.group() if link else "", folder, process)
        time.sleep(0.1)
    pytest.fail("the server did not start:\n" + "".join(lines))


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5, verify=False).status_code == 200
    except httpx.HTTPError:
        return False


@contextmanager
def guarded(browser: Browser, server: Server, **options: object) -> Iterator[tuple[BrowserContext, Guard]]:
    context = browser.new_context(base_url=server.url, **options)  # type: ignore[arg-type]
    guard = Guard(server.url)
    guard.watch(context)
    yield context, guard
    context.close()
    guard.check()


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[tuple[Page, Guard]]:
    """Somebody who has not signed in."""
    with guarded(browser, server) as (context, guard):
        yield context.new_page(), guard


@dataclass
class SignedIn:
    """The browser of somebody who signed in once. An idle page stays open, so that its process outlives the tests."""

    context: BrowserContext
    guard: Guard
    idle: Page

    def forget(self) -> None:
        """Close all other pages and clear what they stored, but for the session and the files of the app."""
        for page in self.context.pages:
            if page is not self.idle:
                page.close()
        session = self.context.new_cdp_session(self.idle)
        kinds = "local_storage,indexeddb"
        session.send("Storage.clearDataForOrigin", {"origin": self.guard.origin, "storageTypes": kinds})
        session.detach()
        self.guard.check()


@pytest.fixture(scope="module")
def admin(browser: Browser, server: Server) -> Iterator[SignedIn]:
    with staying(browser, server) as admin:
        yield admin


@contextmanager
def staying(browser: Browser, server: Server, **options: object) -> Iterator[SignedIn]:
    with guarded(browser, server, **options) as (context, guard):
        idle = signed_in(context)
        idle.goto("/healthz")
        yield SignedIn(context, guard, idle)


@pytest.fixture
def page(admin: SignedIn) -> Iterator[Page]:
    """A new page of somebody who is signed in, in a browser that keeps nothing of the test before."""
    yield admin.context.new_page()
    admin.forget()


@pytest.fixture(scope="module")
def admins_phone(browser: Browser, server: Server) -> Iterator[SignedIn]:
    with staying(browser, server, **PHONE) as admin:
        yield admin


@pytest.fixture
def phone(admins_phone: SignedIn) -> Iterator[Page]:
    yield admins_phone.context.new_page()
    admins_phone.forget()


def signed_in(context: BrowserContext) -> Page:
    """A page of an admin in their own name: one of several signatures is never a token's."""
    return signed_in_as(context, context.request, "admin", {"Authorization": f"Bearer {TOKEN}"})


@pytest.fixture
def api(browser: Browser, server: Server) -> Iterator[APIRequestContext]:
    """The API, as a script would use it."""
    context = browser.new_context(base_url=server.url, extra_http_headers={"Authorization": f"Bearer {TOKEN}"})
    yield context.request
    context.close()
