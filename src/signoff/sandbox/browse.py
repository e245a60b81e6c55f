"""One page in a browser of its own that knows no way out but the proxy of whoever started it."""

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from signoff.sandbox import pipe
from signoff.sandbox.limits import bound_cpu

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

CPU_SECONDS = 60
START_MS, LOAD_MS, WAIT_MS, QUIET_MS = 20_000, 25_000, 10_000, 3_000
MOST_HTML = 4 * 1024 * 1024
WIDTH, HEIGHT, HIGHEST = 1280, 800, 8_000
SCHEMES = ("http:", "https:", "data:", "blob:", "about:")
ARGUMENTS = [
    # No name is looked up by the browser itself, and nothing goes past the proxy: not to this machine, not by UDP.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-dev-shm-usage",
    "--js-flags=--max-old-space-size=384",
    "--renderer-process-limit=3",
]


class NotShown(Exception):
    """The page could not be loaded, for a reason that can be told."""


def main() -> None:
    asked = pipe.request()
    bound_cpu(CPU_SECONDS)
    from playwright.sync_api import Error, sync_playwright

    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=asked["chromium"],
                args=ARGUMENTS,
                # Chromium refuses its sandbox to root.
                chromium_sandbox=os.geteuid() != 0,
                proxy=asked["proxy"],
                timeout=START_MS,
            )
            try:
                said, content = _shown(browser, asked)
            finally:
                browser.close()
    except (NotShown, Error) as error:
        pipe.answer({"error": str(error).partition("\nCall log")[0][:500]})
    else:
        pipe.answer(said, content)


def _shown(browser: "Browser", asked: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    from playwright.sync_api import Error, TimeoutError

    context = browser.new_context(
        accept_downloads=False,
        service_workers="block",
        viewport={"width": WIDTH, "height": HEIGHT},
        permissions=[],
    )
    context.route("**/*", _only_the_web)
    page = context.new_page()
    try:
        response = page.goto(asked["url"], wait_until="domcontentloaded", timeout=LOAD_MS)
    except Error as error:
        if "Download is starting" in str(error):
            raise NotShown("This is a file to download, not a page. Get it with http_request and save_as.") from error
        raise
    if asked["wait_for"]:
        try:
            page.wait_for_selector(asked["wait_for"], timeout=WAIT_MS)
        except TimeoutError as error:
            raise NotShown(f"Nothing on the page matches {asked['wait_for']!r} within 10 seconds.") from error
    else:
        # Most pages fill themselves after they have loaded; some never come to rest.
        with suppress(TimeoutError):
            page.wait_for_load_state("networkidle", timeout=QUIET_MS)
    said = {"url": page.url, "title": page.title()[:500], "status": response.status if response else None}
    return said, _picture(page, asked["full_page"]) if asked["picture"] else page.content().encode()[:MOST_HTML]


def _only_the_web(route: "Route") -> None:
    with suppress(Exception):
        if route.request.url.startswith(SCHEMES):
            route.continue_()
        else:
            route.abort()


def _picture(page: "Page", full_page: bool) -> bytes:
    if not full_page:
        return page.screenshot(timeout=WAIT_MS)
    height = int(page.evaluate("() => document.documentElement.scrollHeight") or HEIGHT)
    shown = {"x": 0.0, "y": 0.0, "width": float(WIDTH), "height": float(max(1, min(height, HIGHEST)))}
    return page.screenshot(full_page=True, clip=shown, timeout=WAIT_MS)  # pyright: ignore[reportArgumentType]


if __name__ == "__main__":
    main()
