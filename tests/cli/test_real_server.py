"""The command line against a real server, and in a real terminal."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.real_terminal import TOKEN, Server, Terminal, command, wait_until
from tests.joining import secret_in, signed_in

AGENT = "competitive-analysis"
# Not the word alone: the question has it too.
CHOOSE = "choose  [s]kip"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server") / "data")
    server.start()
    yield server
    server.process.terminate()
    server.process.wait(15)


def open_ask(server: Server, run_id: str = "") -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if found := server.get("/api/asks?status=pending&sort=oldest" + (f"&run={run_id}" if run_id else ""))["items"]:
            return found[0]
        time.sleep(0.3)
    raise AssertionError("nothing waits")


def test_the_demo_run_is_answered_from_scripts_until_it_is_done(server: Server, tmp_path: Path):
    ask = open_ask(server)
    run_id = ask["run_id"]
    listed = server.cli("inbox", "--list").stdout
    assert ask["id"] in listed
    assert ask["title"].split("\n")[0][:30] in listed
    assert json.loads(server.cli("inbox", "--json").stdout)[0]["id"] == ask["id"]
    assert run_id in server.cli("runs").stdout

    statuses = set[str]()
    for _ in range(20):
        if server.get(f"/api/runs/{run_id}")["status"] == "completed":
            break
        ask = open_ask(server, run_id)
        decision = ["approve"] if ask["kind"] == "approval" else ["respond", "--value", value_for(ask)]
        answered = server.cli("answer", ask["id"], *decision)
        assert answered.exit_code == 0, answered.stderr
        statuses.add(answered.stdout.split(" ")[0])
        late = server.cli("answer", ask["id"], *decision)
        assert late.exit_code == 1
        assert "already" in late.stderr
        # It works, or asks again, before it ends.
        wait_until(lambda: server.get(f"/api/runs/{run_id}")["status"] not in ("running", "queued"))
    assert statuses == {"approved", "answered"}

    shown = server.cli("runs", "show", run_id)
    assert "completed" in shown.stdout
    followed = server.cli("runs", "follow", run_id)
    assert followed.exit_code == 0
    saved = server.cli("runs", "files", run_id, "--download", str(tmp_path / "out"))
    assert saved.exit_code == 0, saved.stderr
    assert any(file.stat().st_size for file in (tmp_path / "out").iterdir())


def value_for(ask: dict[str, Any]) -> str:
    return "1" if ask.get("options") else {"boolean": "yes", "number": "3"}.get(ask["response_type"], "Europe")


def test_the_record_is_proved(server: Server):
    verified = server.cli("audit", "verify")
    assert verified.exit_code == 0, verified.stderr
    assert "The record is intact" in verified.stdout
    assert "run.started" in server.cli("audit", "list", "--limit", "200").stdout


def test_an_export_is_proved_without_the_server(server: Server, tmp_path: Path):
    file, key = tmp_path / "audit.jsonl", server.cli("audit", "key").stdout.strip()
    assert server.cli("audit", "export", str(file)).exit_code == 0
    away = ("--url", "http://127.0.0.1:9")
    whole = server.cli("audit", "verify", str(file), "--key", key, *away)
    assert (whole.exit_code, "sealed by the key" in whole.stdout) == (0, True), whole.stderr
    assert "Anchors were not checked" in whole.stdout
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:2], lines[2].replace('"at":"2', '"at":"1'), *lines[3:]]))
    changed = server.cli("audit", "verify", str(file), *away)
    assert (changed.exit_code, "Entry 3 was changed" in changed.stderr) == (1, True)
    other = server.cli("audit", "verify", "--key", "A" * 43)
    assert (other.exit_code, "another key" in other.stderr) == (1, True)
    file.write_text("nothing")
    assert "Line 1 is not an audit entry" in server.cli("audit", "verify", str(file), *away).stderr


def test_the_token_in_the_data_folder_opens_the_door(server: Server):
    assert server.cli("runs", token=None).exit_code == 1
    assert server.cli("runs", "--data", str(server.data), token=None).exit_code == 0
    assert (server.data / "cli.token").stat().st_mode & 0o777 == 0o600


def test_tokens_and_links_are_made_and_revoked(server: Server):
    secret = server.cli("tokens", "create", "ci", "--expires-days", "3").stdout.strip()
    assert server.cli("agents", token=secret).exit_code == 0
    [token] = [each for each in json.loads(server.cli("tokens", "--json").stdout) if each["name"] == "ci"]
    assert token["id"] in server.cli("tokens").stdout
    assert server.cli("tokens", "revoke", token["id"]).exit_code == 0
    assert server.cli("agents", token=secret).exit_code == 1
    assert server.cli("link").stdout.startswith("http")


def test_a_member_comes_by_invitation_and_gets_back_in_by_recovery(server: Server):
    assert "notmail is not an email address" in server.cli("invite", "notmail").stderr
    secret = secret_in(server.cli("invite", "eve@example.org", "--role", "approver").stdout.strip())
    recover = ("recover", "eve@example.org", "--data", str(server.data))
    assert server.cli(*recover).exit_code == 1
    with signed_in(server.url, token=secret, password="correct horse battery") as browser:
        assert browser.get("/api/me").json()["role"] == "approver"
        assert server.cli("link", "--user", "eve@example.org").stdout.startswith("http")
        assert browser.get("/api/me").status_code == 401
    link = server.cli(*recover).stdout.strip()
    assert link.startswith(server.url)
    with signed_in(server.url, token=secret_in(link)) as browser:
        assert browser.post("/api/auth/password", json={"password": "not forgotten now"}).status_code == 204


def test_who_has_an_account_in_two_workspaces_is_recovered_in_the_one_that_is_named(server: Server):
    there = server.cli("workspaces", "create", "Finance").stdout.strip()
    assert server.cli("workspaces", "rename", "Treasury", token=there).exit_code == 0
    assert [each["name"] for each in json.loads(server.cli("workspaces", "--json", token=there).stdout)] == ["Treasury"]
    for token in (TOKEN, there):
        secret = secret_in(server.cli("invite", "two@example.org", token=token).stdout.strip())
        with signed_in(server.url, token=secret):
            pass
    recover = ("recover", "two@example.org", "--data", str(server.data))
    unclear = server.cli(*recover)
    assert unclear.exit_code == 1
    assert "--workspace" in unclear.stderr
    link = server.cli(*recover, "--workspace", "Treasury").stdout.strip()
    with signed_in(server.url, token=secret_in(link)) as browser:
        assert browser.get("/api/me").json()["workspace"]["name"] == "Treasury"


def test_agents_come_from_files_and_go_back_to_them(server: Server, tmp_path: Path):
    file = tmp_path / "clerk.yaml"
    file.write_text("name: Clerk\nmodel: openai-chat:x\ninstructions: File things.\n")
    assert "clerk created (revision 1)" in server.cli("agents", "apply", str(file)).stdout
    assert "clerk unchanged (revision 1)" in server.cli("agents", "apply", str(file)).stdout
    shown = server.cli("agents", "show", "clerk").stdout
    assert "clerk unchanged" in server.cli("agents", "apply", "-", input=shown).stdout
    file.write_text("name: Clerk\nmodel: nonsense\n")
    wrong = server.cli("agents", "apply", str(file))
    assert wrong.exit_code == 1
    assert "model" in wrong.stderr


def test_an_unknown_agent_is_refused(server: Server):
    refused = server.cli("run", "x", "--agent", "nobody")
    assert refused.exit_code == 1
    assert "nobody" in refused.stderr


def test_a_run_is_started_followed_and_answered_in_the_terminal(server: Server):
    terminal = Terminal(server, "run", "Compare three vendors", "--agent", AGENT)
    answered = 0
    while True:
        came = terminal.wait_for("[a]pprove", "(Enter to go back)", CHOOSE, "[y]es", "completed ·")
        if came == "completed ·":
            break
        terminal.type({"[a]pprove": "a", CHOOSE: "1", "[y]es": "y"}.get(came, "Europe\r"))
        answered += 1
    assert answered >= 3
    assert terminal.code() == 0


def test_what_is_answered_elsewhere_leaves_the_terminal_and_says_by_whom(server: Server):
    terminal = Terminal(server, "run", "Compare three vendors", "--agent", AGENT, "--title", "Answered elsewhere")
    prompts = ("[a]pprove", "(Enter to go back)", CHOOSE, "[y]es")
    os.write(terminal.descriptor, b"aaaa1111yyyy")
    terminal.wait_for(*prompts)
    terminal.type("")
    time.sleep(0.3)
    # What was typed before the question came did not answer it.
    [run] = server.get("/api/runs?q=Answered elsewhere")["items"]
    [ask] = server.get(f"/api/runs/{run['id']}/asks")["items"]
    assert ask["status"] == "pending"
    decision = ["approve"] if ask["kind"] == "approval" else ["respond", "--value", value_for(ask)]
    server.cli("answer", ask["id"], *decision)
    terminal.wait_for(" by ")
    terminal.wait_for(*prompts)
    terminal.type("\x03")
    terminal.wait_for("signoff runs follow")
    assert terminal.code() == 1


def test_a_server_whose_port_is_taken_does_not_say_that_it_runs(server: Server, tmp_path: Path):
    words = command("serve", "--port", str(server.port), "--data", str(tmp_path), "--no-workers", "--no-demo")
    second = subprocess.run(words, env=server.env, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode != 0
    assert "address already in use" in second.stderr
    assert "Signoff runs at" not in second.stdout
    assert not (tmp_path / "server.url").exists()


def test_a_server_that_is_stopped_leaves_quietly_while_somebody_follows_its_events(server: Server):
    """The last one: it stops what the others share."""
    known = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.stream("GET", f"{server.url}/api/events", headers=known, trust_env=False, timeout=60) as stream:
        lines = stream.iter_lines()
        next(lines)
        server.process.send_signal(signal.SIGINT)
        # It has an end, and is not cut off.
        for _ in lines:
            pass
    server.process.wait(30)
    printed = (server.data.parent / "serve.log").read_text()
    assert "Signoff runs at" in printed
    assert "ERROR" not in printed
    assert "Traceback" not in printed
