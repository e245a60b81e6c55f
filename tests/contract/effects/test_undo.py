"""Calls are taken back: by a person, judged by policy, once, and only where the world has not moved on."""

from typing import Any

from tests.contract.effects.test_previews import everything_in, folder_of
from tests.contract.ruling import audited, put_rules, rule, somebody
from tests.contract.scenes import agent_that, at_once, problem, run_that, said_to_model
from tests.house import House
from tests.wire import call, says

FILES = ("write_file", "delete_file", "move_file", "read_file", "send_message", "keep_memory")


def write(path: str, content: str) -> dict[str, Any]:
    return call("write_file", {"path": path, "content": content})


def worked(house: House, *calls: dict[str, Any]) -> str:
    """A run that made these calls one after the other and ended."""
    run = run_that(house, *(says("", each) for each in calls), says("done"), tools=FILES, autonomy="full")
    house.ended(run)
    return run


def undo(house: House, run: str, call_id: str, status: int = 201) -> Any:
    return house.post(f"/api/runs/{run}/calls/{call_id}/undo", {}, status)


def finished(house: House, run: str, call_id: str) -> dict[str, Any]:
    def look() -> dict[str, Any] | None:
        found = next(each for each in house.calls(run) if each["id"] == call_id)
        return found if found["status"] in ("succeeded", "failed", "denied", "unknown") else None

    return house.until(look)


def made(house: House, run: str) -> list[dict[str, Any]]:
    return [
        each for each in house.calls(run) if each["undoes"] is None and each["undo"]["why"] != "This tool has no undo."
    ]


def test_a_call_of_an_ended_run_is_taken_back_and_on_the_record(house: House) -> None:
    run = worked(house, write("a.txt", "one"), write("a.txt", "two"))
    first, second = made(house, run)
    assert second["undo"] == {"possible": True, "why": None, "undone_by": None, "call_id": None}
    shown = house.get(f"/api/runs/{run}/calls/{second['id']}/undo")
    assert (shown["tool"], shown["preview"]["kind"]) == ("restore_file", "diff")
    back = house.post(f"/api/runs/{run}/calls/{second['id']}/undo", {"digest": shown["digest"]}, 201)
    assert (back["undoes"], back["tool"]) == (second["id"], "restore_file")
    assert finished(house, run, back["id"])["status"] == "succeeded"
    assert everything_in(folder_of(house, run)) == {"a.txt": b"one"}
    after = next(each for each in house.calls(run) if each["id"] == second["id"])["undo"]
    assert (after["possible"], after["call_id"]) == (False, back["id"])
    assert after["undone_by"] in after["why"]
    assert [each["action"] for each in audited(house, back["id"])] == ["call.undo_requested", "call.succeeded"]
    assert house.run(run)["status"] == "completed"
    assert undo(house, run, first["id"])["tool"] == "delete_file"


def test_two_who_press_at_once_undo_it_once(house: House) -> None:
    run = worked(house, write("a.txt", "one"))
    (target,) = made(house, run)
    path = f"/api/runs/{run}/calls/{target['id']}/undo"
    pressed = at_once(4, lambda _: house.client.post(path, json={}).status_code)
    assert sorted(pressed) == [201, 409, 409, 409]


def test_all_since_are_taken_back_the_last_one_first(house: House) -> None:
    run = worked(
        house,
        write("a.txt", "one"),
        write("a.txt", "two"),
        call("move_file", {"path": "a.txt", "to": "b.txt"}),
        call("send_message", {"channel": "#x", "text": "hi"}),
        call("delete_file", {"path": "b.txt"}),
    )
    second = next(each for each in house.calls(run) if each["arguments"].get("content") == "two")
    shown = house.get(f"/api/runs/{run}/calls/{second['id']}/undo-since")
    assert [each["title"] for each in shown["steps"]] == [
        "Restore b.txt",
        "Move b.txt to a.txt",
        "Restore a.txt",
    ]
    # What the last call left is there to be seen; of the others once that is undone.
    assert [each["preview"] and each["preview"]["summary"] for each in shown["steps"]] == [
        "Creates b.txt (3 bytes)",
        None,
        None,
    ]
    done = house.post(f"/api/runs/{run}/undo", {"since": second["id"], "digest": shown["digest"]}, 201)
    assert done["left"] == shown["left"]
    assert [each["tool"] for each in done["calls"]] == ["restore_file", "move_file", "restore_file"]
    assert [each["tool"] for each in done["left"]] == ["send_message"]
    assert finished(house, run, done["calls"][-1]["id"])["status"] == "succeeded"
    assert everything_in(folder_of(house, run)) == {"a.txt": b"one"}


def test_all_that_would_be_taken_back_is_shown_and_nothing_else_happens(house: House) -> None:
    run = worked(house, write("a.txt", "one"), write("b.txt", "two"))
    first, _ = made(house, run)
    shown = house.get(f"/api/runs/{run}/calls/{first['id']}/undo-since")
    assert [each["preview"]["summary"] for each in shown["steps"]] == [
        "Deletes b.txt (3 bytes)",
        "Deletes a.txt (3 bytes)",
    ]
    (folder_of(house, run) / "a.txt").write_text("somebody's")
    wanted = {"since": first["id"], "digest": shown["digest"]}
    assert house.post(f"/api/runs/{run}/undo", wanted, 409)["code"] == "ask_changed"
    assert everything_in(folder_of(house, run)) == {"a.txt": b"somebody's", "b.txt": b"two"}


def test_what_an_agent_kept_for_itself_is_taken_back_as_well(house: House) -> None:
    run = worked(house, *(call("keep_memory", {"text": each, "key": "style"}) for each in ("short", "long")))
    memory = f"/api/agents/{house.run(run)['agent']}/memory"
    assert [each["text"] for each in house.get(memory)["items"]] == ["long"]
    first, _ = made(house, run)
    done = house.post(f"/api/runs/{run}/undo", {"since": first["id"]}, 201)
    assert [each["tool"] for each in done["calls"]] == ["keep_memory", "forget_memory"]
    assert finished(house, run, done["calls"][-1]["id"])["status"] == "succeeded"
    assert house.get(memory)["items"] == []


def test_an_undo_is_refused_with_the_reason_where_the_world_has_moved_on(house: House) -> None:
    run = worked(house, write("a.txt", "one"))
    (target,) = made(house, run)
    (folder_of(house, run) / "a.txt").write_text("somebody's")
    refused = undo(house, run, target["id"], 409)
    assert (refused["code"], refused["detail"]) == ("cannot_undo", "a.txt was changed again since.")
    assert everything_in(folder_of(house, run)) == {"a.txt": b"somebody's"}


def test_what_cannot_be_undone_says_why(house: House) -> None:
    run = worked(house, call("send_message", {"channel": "#x", "text": "hi"}), call("read_file", {"path": "no.txt"}))
    sent, read = house.calls(run)[:2]
    assert undo(house, run, sent["id"], 409)["detail"] == "It cannot be undone."
    assert undo(house, run, read["id"], 409)["detail"] == "It did not run to a good end."
    assert problem(house.client.post(f"/api/runs/{run}/calls/none/undo", json={}), 404)["code"] == "unknown_call"


def test_a_member_asks_for_it_and_an_approver_decides(house: House) -> None:
    member, approver = somebody(house, "member"), somebody(house)
    run = worked(house, write("a.txt", "one"))
    (target,) = made(house, run)
    back = member.post(f"/api/runs/{run}/calls/{target['id']}/undo").json()
    assert back["status"] == "waiting"
    ask = house.ask(run)
    assert (ask["action_type"], ask["preview"]["summary"]) == ("undo", "Deletes a.txt (3 bytes)")
    assert member.answer(ask).status_code == 403
    assert approver.answer(ask).status_code == 200
    assert finished(house, run, back["id"])["status"] == "succeeded"
    assert everything_in(folder_of(house, run)) == {}


def test_rules_judge_an_undo_as_any_call(house: House) -> None:
    agent = agent_that(house, says("", write("a.txt", "one")), says("done"), tools=FILES, autonomy="full")
    run = house.start(agent)
    house.ended(run)
    (target,) = made(house, run)
    put_rules(house, rule(agent, {"deny": True, "reason": "Nothing is deleted"}, tool="delete_file"))
    assert "Nothing is deleted" in undo(house, run, target["id"], 409)["detail"]
    put_rules(house, rule(agent, {"four_eyes": True}, tool="delete_file"))
    presses, other = somebody(house), somebody(house)
    back = presses.post(f"/api/runs/{run}/calls/{target['id']}/undo").json()
    ask = house.ask(run)
    assert presses.answer(ask).status_code == 403
    assert other.answer(ask, "deny", note="Keep it").status_code == 200
    assert finished(house, run, back["id"])["error"].endswith("Keep it")
    assert everything_in(folder_of(house, run)) == {"a.txt": b"one"}
    put_rules(house)


def test_a_run_at_work_reads_that_its_call_was_taken_back(house: House) -> None:
    run = run_that(
        house,
        says("", write("a.txt", "one")),
        says("", call("ask_question", {"question": "Well?", "type": "blocking", "responseType": "text"})),
        says("done"),
        tools=FILES,
        autonomy="full",
    )
    question = house.ask(run)
    target = house.calls(run)[0]
    back = undo(house, run, target["id"])
    assert finished(house, run, back["id"])["status"] == "succeeded"
    house.answer(question, "respond", value="go on")
    house.ended(run)
    assert "undid an earlier call, by delete_file" in said_to_model(house, run)


def test_reversible_calls_go_through_by_a_rule_and_others_ask(house: House) -> None:
    gone = [write("a.txt", "one"), call("send_message", {"channel": "#x", "text": "hi"})]
    agent = agent_that(house, *(says("", each) for each in gone), says("done"), tools=FILES)
    put_rules(house, rule(agent, {"auto_approve": True}, reversible=True))
    run = house.start(agent)
    ask = house.ask(run)
    assert (ask["tool"], ask["reversible"]) == ("send_message", False)
    assert house.calls(run)[0]["status"] == "succeeded"
    put_rules(house)


def test_the_rules_of_the_moment_have_the_last_word_on_an_undo_that_waited(house: House) -> None:
    member, approver = somebody(house, "member"), somebody(house)
    agent = agent_that(house, says("", write("a.txt", "one")), says("done"), tools=FILES, autonomy="full")
    run = house.start(agent)
    house.ended(run)
    (target,) = made(house, run)
    newer = [{"deny": True, "reason": "Nothing is deleted"}, {"require_approval_count": 2}]
    for action, why in zip(newer, ("Nothing is deleted", "Newer rules want others"), strict=True):
        put_rules(house)
        back = member.post(f"/api/runs/{run}/calls/{target['id']}/undo").json()
        put_rules(house, rule(agent, action, tool="delete_file"))
        assert approver.answer(house.ask(run)).status_code == 200
        assert why in finished(house, run, back["id"])["error"]
    assert everything_in(folder_of(house, run)) == {"a.txt": b"one"}
    put_rules(house)


def test_a_token_that_may_less_than_its_person_does_not_undo_in_their_name(house: House) -> None:
    ann = somebody(house)
    agent = agent_that(house, says("", write("a.txt", "one")), says("done"), tools=FILES, autonomy="full")
    run = house.start(agent)
    house.ended(run)
    (target,) = made(house, run)
    put_rules(house, rule(agent, {"approvers": [ann.email]}, tool="delete_file"))
    limited = house.client_for(ann.post("/api/tokens", {"name": "less", "scopes": ["member"]}).json()["token"])
    pressed = limited.post(f"/api/runs/{run}/calls/{target['id']}/undo", json={}).json()
    assert pressed["status"] == "waiting"
    assert everything_in(folder_of(house, run)) == {"a.txt": b"one"}
    put_rules(house)
