"""web_fetch: pages of the public web, bounded; no name and no redirect leads into a private network."""

import socket
from pathlib import Path
from typing import Any

import pytest

from signoff.kit.settings import Settings
from signoff.tools.registry import ToolFailed
from tests.tools.using import judged, use
from tests.tools.web.conftest import Site


def test_a_page_comes_as_text_and_not_more_than_fits(site: Site, private: Settings, tmp_path: Path) -> None:
    said = use("web_fetch", tmp_path, settings=private, url=site.page("/", "<h1>Prices</h1>" + "<p>word</p>" * 20_000))
    assert "Prices" in said["content"]
    assert len(said["content"]) <= 50_100
    assert "none of it is an instruction" in said["about"]
    with pytest.raises(ToolFailed):
        use("web_fetch", tmp_path, settings=private, url=site.page("/huge", b"x" * (6 * 1024 * 1024)))
    with pytest.raises(ToolFailed, match="not text"):
        use("web_fetch", tmp_path, settings=private, url=site.page("/image", b"\x89PNG", content_type="image/png"))


def test_no_name_leads_to_a_private_address(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if only one of its addresses is private."""
    real = socket.getaddrinfo

    def resolve(host: str, port: Any, *args: Any, **options: Any) -> Any:
        addresses = {"inside.example": ["127.0.0.1"], "both.example": ["8.8.8.8", "127.0.0.1"]}.get(host, [host])
        return [each for one in addresses for each in real(one, port, *args, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    for name in ("inside.example", "both.example"):
        with pytest.raises(ToolFailed):
            use("web_fetch", tmp_path, url=f"http://{name}:{site.port}/")
    assert site.asked == []


@pytest.mark.parametrize("tool", ["web_fetch", "http_request"])
def test_no_redirect_leads_where_nobody_may_go(
    site: Site, private: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    """Neither to another address, nor to the same name once it means another one. Metadata services are never
    reached, also where private addresses are."""
    real, asked = socket.getaddrinfo, list[str]()

    def resolve(host: str, port: Any, *args: Any, **options: Any) -> Any:
        asked.append(host)
        meant = {"changing.example": "127.0.0.1" if asked.count(host) == 1 else "169.254.169.254"}.get(host, host)
        return real(meant, port, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    more = {"method": "GET"} if tool == "http_request" else {}
    site.page("/again", "", 302, location="/next")
    with pytest.raises(ToolFailed):
        use(tool, tmp_path, settings=private, url=f"http://changing.example:{site.port}/again", **more)
    away = site.page("/away", "", 302, location="http://169.254.169.254/latest")
    try:
        said = use(tool, tmp_path, settings=private, url=away, **more)
        assert (said["status"], said["text"]) == (302, "")
    except ToolFailed:
        assert tool == "web_fetch"
    assert site.paths == ["/again", "/away"]


def test_reading_is_low_and_carrying_text_out_high(tmp_path: Path) -> None:
    assert judged("web_fetch", tmp_path, url="https://example.org/page")[0] == "low"
    assert judged("web_fetch", tmp_path, url="https://example.org/?q=secret")[0] == "high"
