"""browse_page and screenshot_page: a browser of their own, which reaches what tools may and nothing else."""

import os
from pathlib import Path

import pytest

from signoff.kit.settings import Settings
from signoff.policy.impact import ImpactKind
from signoff.tools.builtin.web import browse
from signoff.tools.egress import Reach
from signoff.tools.registry import ToolFailed
from tests.tools.using import found, judged, use
from tests.tools.web.conftest import Site

CHROMIUM = Path(os.environ.get("SIGNOFF_CHROMIUM", "/usr/bin/chromium"))
# As the tests of the pages: a browser on a busy machine is sometimes too slow to be seen.
in_browser = pytest.mark.flaky(reruns=1)

SCRIPTED = """<title>Prices</title><h1>Prices</h1><ul id="list"></ul><a href="/more">More</a>
<script>setTimeout(() => { list.innerHTML = '<li class="price">from a script</li>' }, 50)</script>"""
# Every way of a page to ask another host.
OUTBOUND = """<title>Out</title><img src="{other}/img"><iframe src="{other}/frame"></iframe><img src="/away">
<link rel="prefetch" href="{other}/prefetch"><link rel="stylesheet" href="{other}/style">
<form id="form" action="{other}/form" target="hidden"></form><iframe name="hidden"></iframe>
<script>
const tried = [
  fetch("{other}/fetch", {{mode: "no-cors"}}),
  navigator.serviceWorker ? navigator.serviceWorker.register("/worker.js") : Promise.reject(),
  new Promise((_, fail) => {{ const s = new WebSocket("{socket}/socket"); s.onerror = fail; s.onopen = fail; }}),
  new Promise((_, fail) => {{ const w = new Worker("/worker.js"); w.onmessage = fail; w.onerror = fail; }}),
];
navigator.sendBeacon("{other}/beacon", "x");
new Image().src = "file:///etc/passwd";
form.submit();
window.open("{other}/window");
Promise.allSettled(tried).then(() => document.body.insertAdjacentHTML("beforeend", "<p id=done>done</p>"));
</script>"""
WORKER = 'fetch("{other}/from-worker", {{mode: "no-cors"}}).finally(() => self.postMessage && postMessage("over"))'


@pytest.fixture
def browsing() -> Settings:
    return Settings(allow_private_addresses=True, chromium=CHROMIUM)


@in_browser
def test_a_page_is_read_with_what_its_scripts_made_of_it(site: Site, browsing: Settings, tmp_path: Path) -> None:
    said = use("browse_page", tmp_path, settings=browsing, url=site.page("/", SCRIPTED), wait_for=".price")
    assert (said["title"], said["status"], said["url"]) == ("Prices", 200, f"{site.url}/")
    assert "from a script" in said["content"]
    assert "[More](/more)" in said["content"]
    assert said["about"]


@in_browser
def test_no_part_of_a_page_reaches_another_host_than_it_may(site: Site, browsing: Settings, tmp_path: Path) -> None:
    socket = f"ws://localhost:{site.port}"
    url = site.page("/", OUTBOUND.format(other=site.other, socket=socket))
    site.page("/away", "", 302, location=f"{site.other}/redirected")
    site.page("/worker.js", WORKER.format(other=site.other), content_type="text/javascript")
    reach = Reach.within(["127.0.0.1"])
    said = use("browse_page", tmp_path, settings=browsing, reach=reach, url=url, wait_for="#done")
    assert said["title"] == "Out"
    assert "/away" in site.paths
    assert {each.headers["host"].partition(":")[0] for each in site.asked} == {"127.0.0.1"}


@in_browser
def test_a_picture_of_a_page_is_saved(site: Site, browsing: Settings, tmp_path: Path) -> None:
    url = site.page("/", "<body style='height: 30000px'>long")
    said = use("screenshot_page", tmp_path, settings=browsing, url=url, path="shots/a.png", full_page=True)
    picture = (tmp_path / "shots" / "a.png").read_bytes()
    assert (said["path"], said["size_bytes"]) == ("shots/a.png", len(picture))
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20]) == 1280
    assert int.from_bytes(picture[20:24]) == 8000


@in_browser
@pytest.mark.slow
def test_what_is_no_page_says_so(site: Site, browsing: Settings, tmp_path: Path) -> None:
    file = site.page("/file", b"\x00\x01", content_disposition="attachment; filename=a.bin", content_type="a/b")
    with pytest.raises(ToolFailed, match="file to download"):
        use("browse_page", tmp_path, settings=browsing, url=file)
    with pytest.raises(ToolFailed, match="private network"):
        use("browse_page", tmp_path, settings=Settings(chromium=CHROMIUM), url=site.page("/", "x"))
    with pytest.raises(ToolFailed, match="Nothing on the page"):
        use("browse_page", tmp_path, settings=browsing, url=f"{site.url}/", wait_for="#none")
    away = site.page("/gone", "", 302, location=f"{site.other}/")
    with pytest.raises(ToolFailed, match="not among the hosts"):
        use("browse_page", tmp_path, settings=browsing, reach=Reach.within(["127.0.0.1"]), url=away)
    assert list(tmp_path.iterdir()) == []


@in_browser
@pytest.mark.slow
@pytest.mark.parametrize(
    "script", ["while (true) {}", "const a = []; while (true) a.push(new Uint8Array(1e8).fill(1))"]
)
def test_a_page_that_never_ends_is_ended(site: Site, browsing: Settings, tmp_path: Path, script: str) -> None:
    with pytest.raises(ToolFailed):
        use("browse_page", tmp_path, settings=browsing, url=site.page("/", f"<script>{script}</script>"))


@pytest.mark.parametrize("url", ["file:///etc/passwd", "chrome://version", "javascript:1", "http://u:p@a/", "a", "//a"])
def test_only_addresses_of_the_web_are_opened(browsing: Settings, tmp_path: Path, url: str) -> None:
    with pytest.raises(ToolFailed):
        use("browse_page", tmp_path, settings=browsing, url=url)
    with pytest.raises(ToolFailed):
        use("screenshot_page", tmp_path, settings=browsing, url=url, path="a.png")


@pytest.mark.parametrize("path", ["../a.png", "/tmp/a.png", "link/a.png", "a.html"])
def test_a_picture_is_saved_nowhere_else(browsing: Settings, tmp_path: Path, path: str) -> None:
    (tmp_path / "run").mkdir()
    os.symlink(tmp_path, tmp_path / "run" / "link")
    with pytest.raises(ToolFailed):
        use("screenshot_page", tmp_path / "run", settings=browsing, url="https://example.org/", path=path)


def test_without_chromium_or_the_package_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = Settings(chromium=tmp_path / "none")
    with pytest.raises(ToolFailed, match="SIGNOFF_CHROMIUM"):
        use("browse_page", tmp_path, settings=without, url="https://example.org/")
    monkeypatch.setattr(browse, "find_spec", lambda _: None)
    with pytest.raises(ToolFailed, match=r"signoff\[browser\]"):
        use("browse_page", tmp_path, settings=without, url="https://example.org/")


def test_reading_is_low_a_picture_medium_and_carrying_text_out_high(tmp_path: Path) -> None:
    plain, carrying = "https://example.org/page", "https://example.org/?q=secret"
    level, impact = judged("browse_page", tmp_path, url=plain)
    assert (level, impact.kinds) == ("low", ())
    assert judged("browse_page", tmp_path, url=carrying)[0] == "high"
    level, impact = judged("screenshot_page", tmp_path, url=plain, path="a.png")
    assert (level, impact.kinds) == ("medium", (ImpactKind.STAYS_IN_FOLDER,))
    level, impact = judged("screenshot_page", tmp_path, url=carrying, path="a.png")
    assert (level, impact.kinds) == ("high", (ImpactKind.STAYS_IN_FOLDER, ImpactKind.LEAVES_HOUSE))
    assert found("browse_page").headline({"url": plain}) == f"Open {plain}"
