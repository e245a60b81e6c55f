"""http_request: what is sent is what was shown, and it goes to public addresses only."""

import gzip
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.kit.network.http import RequestFailed
from signoff.kit.settings import Settings
from signoff.policy.impact import ImpactKind
from signoff.tools.builtin.web.request import checked
from signoff.tools.effects import NoPreview
from signoff.tools.egress import Reach
from signoff.tools.registry import ToolFailed
from tests.tools.using import context, found, judged, previewed, use
from tests.tools.web.conftest import Site


def test_a_page_is_read(site: Site, private: Settings, tmp_path: Path) -> None:
    url = site.page("/a", {"n": 1}, etag="x", set_cookie="a=b")
    said = use("http_request", tmp_path, settings=private, method="GET", url=url, headers={"Accept": "text/plain"})
    assert (said["status"], said["text"], said["cut"]) == (200, '{"n": 1}', False)
    assert "no instruction" in said["about"] or "none of it is an instruction" in said["about"]
    assert said["headers"]["etag"] == "x"
    assert "set-cookie" not in said["headers"]
    assert site.asked[0].headers["accept"] == "text/plain"
    # What one request was told to remember goes along with no other.
    use("http_request", tmp_path, settings=private, method="GET", url=url)
    assert "cookie" not in site.asked[1].headers


def test_what_is_sent_is_what_the_preview_showed(site: Site, private: Settings, tmp_path: Path) -> None:
    call: dict[str, Any] = {"method": "POST", "url": site.page("/orders", {"id": 7}, 201) + "?a=1"}
    call |= {"json": {"item": "Ünïcode", "n": 2}, "headers": {"X-Trace": "t"}}
    shown = previewed("http_request", tmp_path, **call)
    assert (shown.kind, site.asked) == ("request", [])
    said = use("http_request", tmp_path, settings=private, **call)
    assert (said["status"], said["text"]) == (201, '{"id": 7}')
    (sent,) = site.asked
    assert (sent.method, sent.path, sent.body.decode()) == ("POST", shown.detail["path"], shown.detail["body"])
    assert shown.detail["host"] == "127.0.0.1"
    assert {name: sent.headers[name] for name in shown.detail["headers"]} == shown.detail["headers"]
    assert sent.headers["idempotency-key"] == "c"
    assert shown.summary.startswith("POST 127.0.0.1/orders?a=1, ")


def test_a_request_that_cannot_be_made_has_no_preview(tmp_path: Path) -> None:
    with pytest.raises(NoPreview):
        previewed("http_request", tmp_path, method="POST", url="ftp://example.org")


def test_reading_is_low_and_the_rest_is_high(tmp_path: Path) -> None:
    plain: dict[str, Any] = {"method": "GET", "url": "https://example.org/page"}
    level, impact = judged("http_request", tmp_path, **plain)
    assert (level, impact.kinds) == ("low", ())
    level, impact = judged("http_request", tmp_path, **plain | {"url": "https://example.org/?q=secret"})
    assert (level, impact.kinds) == ("high", (ImpactKind.LEAVES_HOUSE,))
    assert judged("http_request", tmp_path, **plain, headers={"accept": "text/plain"})[0] == "low"
    for headers in ({"x-data": "secret"}, {"accept": "secret" * 30}):
        assert judged("http_request", tmp_path, **plain, headers=headers)[0] == "high"
    listed = Reach.within(["example.org"])
    assert judged("http_request", tmp_path, reach=listed, **plain, headers={"x-data": "a"})[0] == "low"
    level, impact = judged("http_request", tmp_path, **plain, save_as="a.html")
    assert (level, impact.kinds) == ("high", (ImpactKind.STAYS_IN_FOLDER,))
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        level, impact = judged("http_request", tmp_path, reach=listed, **plain | {"method": method})
        assert (level, impact.kinds) == ("high", (ImpactKind.CANNOT_BE_UNDONE, ImpactKind.LEAVES_HOUSE))
    assert not found("http_request").idempotent
    assert found("http_request").headline(plain) == "GET https://example.org/page"


def test_a_request_that_broke_off_is_no_known_failure(site: Site, private: Settings, tmp_path: Path) -> None:
    url = site.page("/gone", "", x_hang_up="yes")
    with pytest.raises(RequestFailed):
        use("http_request", tmp_path, settings=private, method="POST", url=url, body="x")
    with pytest.raises(ToolFailed):
        use("http_request", tmp_path, settings=private, method="GET", url=url)
    site_closed = "http://127.0.0.1:1/"
    with pytest.raises(ToolFailed):
        use("http_request", tmp_path, settings=private, method="POST", url=site_closed, body="x")


def test_an_answer_is_kept_as_a_file(site: Site, private: Settings, tmp_path: Path) -> None:
    url = site.page("/a.png", b"\x89PNG\x00\x01", content_type="image/png")
    assert "save_as" in use("http_request", tmp_path, settings=private, method="GET", url=url)["note"]
    said = use("http_request", tmp_path, settings=private, method="GET", url=url, save_as="pictures/a.png")
    assert said["saved_as"] == "pictures/a.png"
    assert (tmp_path / "pictures" / "a.png").read_bytes() == b"\x89PNG\x00\x01"


@pytest.mark.parametrize("there", [True, False])
def test_what_an_answer_would_replace_is_shown_and_comes_back(
    site: Site, private: Settings, tmp_path: Path, there: bool
) -> None:
    run, call = tmp_path / "runs" / "r", {"method": "GET", "url": site.page("/a", "new"), "save_as": "a.txt"}
    run.mkdir(parents=True)
    if there:
        (run / "a.txt").write_text("old")
    shown = previewed("http_request", run, **call)
    assert shown.detail["saves"]["text"] == ("Overwrites a.txt (3 bytes)" if there else "Creates a.txt")
    assert shown.detail["saves"]["text"] in shown.summary
    assert judged("http_request", run, **call)[1].reversible
    assert not judged("http_request", run, **call | {"method": "POST"})[1].reversible
    said = use("http_request", run, settings=private, **call)
    assert (run / "a.txt").read_text() == "new"
    back = found("http_request").undo(context(run, private), call, said)
    assert back.tool == ("restore_file" if there else "delete_file")
    use(back.tool, run, settings=private, **back.arguments)
    assert [each.read_text() for each in run.iterdir()] == (["old"] if there else [])


@pytest.mark.parametrize("path", ["../a", "/tmp/a", "link/a", "."])
def test_an_answer_is_kept_nowhere_else(site: Site, private: Settings, tmp_path: Path, path: str) -> None:
    run = tmp_path / "run"
    run.mkdir()
    os.symlink(tmp_path, run / "link")
    with pytest.raises(ToolFailed):
        use("http_request", run, settings=private, method="POST", url=site.page("/", "x"), save_as=path)
    assert site.asked == []


def test_answers_are_bounded(site: Site, private: Settings, tmp_path: Path) -> None:
    long, packed = site.page("/long", "x" * 60_000), gzip.compress(b"0" * 50_000_000)
    said = use("http_request", tmp_path, settings=private, method="GET", url=long)
    assert (len(said["text"]), said["cut"]) == (50_000, True)
    huge = site.page("/huge", b"x" * (6 * 1024 * 1024))
    said = use("http_request", tmp_path, settings=private, method="GET", url=huge, save_as="huge")
    assert "not saved" in said["note"]
    bomb = site.page("/bomb", packed, content_encoding="gzip", content_type="text/plain")
    said = use("http_request", tmp_path, settings=private, method="GET", url=bomb)
    assert (said["text"][:3], said["size_bytes"]) == ("000", 5 * 1024 * 1024)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://127.0.0.1:1/",
            "http://localhost/",
            "http://[::1]/",
            "http://0/",
            "http://2130706433/",
            "http://0x7f.1/",
        ),
        *("http://169.254.169.254/latest/meta-data", "http://[::ffff:127.0.0.1]/", "http://[64:ff9b::7f00:1]/"),
        *("http://10.0.0.1/", "http://[fd00::1]/", "http://127.1/"),
    ],
)
def test_no_private_address_is_reached(tmp_path: Path, url: str) -> None:
    with pytest.raises(ToolFailed, match=r"private network|not found"):
        use("http_request", tmp_path, method="POST", url=url)


def test_no_name_leads_to_a_private_address(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if only one of its addresses is private."""
    real = socket.getaddrinfo

    def resolve(host: str, port: int, *args: Any, **options: Any) -> Any:
        addresses = {"inside.example": ["127.0.0.1"], "both.example": ["8.8.8.8", "127.0.0.1"]}.get(host)
        return [each for one in addresses for each in real(one, port, *args, **options)] if addresses else []

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    for name in ("inside.example", "both.example"):
        with pytest.raises(ToolFailed, match="private network"):
            use("http_request", tmp_path, method="GET", url=f"http://{name}:{site.port}/")
    assert site.asked == []


def test_a_name_cannot_mean_another_address_when_it_is_connected_to(
    site: Site, private: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = socket.getaddrinfo, list[str]()

    def resolve(host: str, *args: Any, **options: Any) -> Any:
        asked.append(host)
        return real("127.0.0.1" if host == "changing.example" else host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    site.page("/", "here")
    use("http_request", tmp_path, settings=private, method="GET", url=f"http://changing.example:{site.port}/")
    assert asked.count("changing.example") == 1


def test_a_redirect_is_followed_on_the_same_host_only(site: Site, private: Settings, tmp_path: Path) -> None:
    site.page("/b", "there")
    here, away = site.page("/here", "", 302, location="/b"), site.page("/away", "", 302, location=f"{site.other}/b")
    said = use("http_request", tmp_path, settings=private, method="GET", url=here)
    assert (said["text"], said["url"]) == ("there", f"{site.url}/b")
    said = use("http_request", tmp_path, settings=private, method="GET", url=away)
    assert (said["status"], said["headers"]["location"]) == (302, f"{site.other}/b")
    assert "not followed" in said["note"]
    said = use("http_request", tmp_path, settings=private, method="POST", url=here)
    assert said["status"] == 302
    with pytest.raises(ToolFailed, match="circles"):
        use("http_request", tmp_path, settings=private, method="GET", url=site.page("/o", "", 302, location="/o"))
    assert site.paths.count("/b") == 1


def test_only_hosts_on_the_list_are_reached(site: Site, private: Settings, tmp_path: Path) -> None:
    site.page("/", "x")
    reach = Reach.within(["127.0.0.1"])
    use("http_request", tmp_path, settings=private, reach=reach, method="GET", url=f"{site.url}/")
    with pytest.raises(ToolFailed, match="not among the hosts"):
        use("http_request", tmp_path, settings=private, reach=reach, method="GET", url=f"{site.other}/")


def test_nothing_of_the_servers_environment_goes_along(
    site: Site, private: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password hidden")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    use("http_request", tmp_path, settings=private, method="GET", url=site.page("/", "x"))
    assert "authorization" not in site.asked[0].headers


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "ftp://example.org/"},
        {"url": "https://me:secret@example.org/"},
        {"url": "http://[::1"},
        {"url": "https://example.org/a b"},
        {"url": "https://example.org/\r\nx: y"},
        {"url": "https://example.org:99999/"},
        {"headers": {"host": "other.example"}},
        {"headers": {"x": "a\r\nb: c"}},
        {"headers": {"a b": "c"}},
        {"headers": {"Proxy-Authorization": "c"}},
        {"body": "x", "json": {}},
        {"body": "x" * 1_100_000},
        {"method": "GET", "body": "x"},
    ],
)
def test_a_request_that_is_none_is_refused_before_it_is_sent(tmp_path: Path, wrong: dict[str, Any]) -> None:
    call: dict[str, Any] = {"method": "POST", "url": "https://example.org/"}
    with pytest.raises(ToolFailed):
        use("http_request", tmp_path, **call | wrong)


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3))
def test_no_header_becomes_two(headers: dict[str, str]) -> None:
    try:
        request = checked({"method": "GET", "url": "https://example.org/", "headers": headers})
    except ToolFailed:
        return
    for name, value in request.headers.items():
        assert not set(name + value) & set("\r\n\x00")
        assert ":" not in name


def test_an_answer_that_the_folder_has_no_room_for_is_not_saved(site: Site, private: Settings, tmp_path: Path) -> None:
    full = private.model_copy(update={"max_folder_bytes": 10})
    said = use("http_request", tmp_path, settings=full, method="GET", url=site.page("/a", "x" * 11), save_as="a.txt")
    assert "was not saved" in said["note"]
    assert list(tmp_path.iterdir()) == []
