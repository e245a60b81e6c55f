"""A page on another port of our own host, on plain http: it gets the cookie sent, and nothing by it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import HOST, TOKEN, Server
from tests.e2e.flows import ask_card
from tests.e2e.scripted import Scripted

BODY = json.dumps({"decision": "approve"})
# A form as text whose only field spells JSON.
SPELT = {"name": '{"decision": "approve", "x": "', "value": '"}'}
FORM = """(form) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.name = `answer${document.forms.length}`;
  document.body.append(frame);
  const element = document.createElement("form");
  Object.assign(element, { method: "post", target: frame.name, ...form.attributes });
  if (form.field) element.append(Object.assign(document.createElement("input"), form.field));
  document.body.append(element);
  frame.addEventListener("load", () => done());
  element.submit();
  setTimeout(done, 5000);
})"""
SCRIPT = """async ({ url, options }) => {
  try {
    const response = await fetch(url, { method: "POST", credentials: "include", ...options });
    return response.type;
  } catch (error) {
    return String(error);
  }
}"""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Another server on the same host."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>Elsewhere</title>")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://{HOST}:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join(5)


def signed_in_by_hand(page: Page, url: str) -> None:
    """Through our own page, so that the browser keeps the cookie as it would."""
    page.goto(f"{url}/sign-in?token={TOKEN}")
    expect(page.get_by_role("link", name="Inbox").first).to_be_visible()


def attempts(url: str) -> Iterator[tuple[str, str, Any]]:
    """Every way in which a page can send something to another origin without being allowed to."""
    for enctype in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data"):
        for field in (SPELT, {"name": "decision", "value": "approve"}, None):
            yield f"a form, {enctype}", FORM, {"attributes": {"action": url, "enctype": enctype}, "field": field}
    for mode in ("no-cors", "cors"):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json"):
            options = {"mode": mode, "headers": {"Content-Type": kind}, "body": BODY}
            yield f"fetch {mode} {kind}", SCRIPT, {"url": url, "options": options}
    with_ours = {"mode": "cors", "headers": {"X-Signoff": "1"}, "body": BODY}
    yield "fetch with our header", SCRIPT, {"url": url, "options": with_ours}


@pytest.mark.slow
def test_no_other_page_of_this_host_approves_and_our_own_does(
    browser: Browser, server: Server, scripted: Scripted, elsewhere: str
) -> None:
    ours = server.url.replace("127.0.0.1", HOST)
    ask = scripted.asking("approval")
    context = browser.new_context()
    page = context.new_page()
    signed_in_by_hand(page, ours)
    sent: list[tuple[str, str]] = []
    foreign = context.new_page()
    context.on("response", lambda response: sent.append((response.request.method, str(response.status))))
    foreign.goto(elsewhere)
    # The second takes no body.
    paths = (f"{ours}/api/asks/{ask['id']}/answer", f"{ours}/api/approvals/{ask['id']}/approve")
    for name, script, argument in chain.from_iterable(map(attempts, paths)):
        foreign.evaluate(script, argument)
        assert scripted.get(f"/api/asks/{ask['id']}")["status"] == "pending", name
    # The forms and the scripts that need no leave did arrive, and were refused.
    assert ("POST", "403") in sent
    assert not {status for method, status in sent if method == "POST"} & {"200", "422"}
    read = foreign.evaluate(
        "async (url) => fetch(url, { credentials: 'include' }).then((r) => r.text()).catch(String)", f"{ours}/api/me"
    )
    assert read.startswith("TypeError")
    no_cookie = foreign.evaluate("document.cookie")
    assert "signoff_session" not in no_cookie
    page.goto(f"{ours}/asks/{ask['id']}")
    card = ask_card(page, ask)
    card.get_by_role("button", name="Approve").first.click()
    assert scripted.settled(ask)["status"] == "approved"
    context.close()
