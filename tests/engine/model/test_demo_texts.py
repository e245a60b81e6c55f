"""Every word of the demo: it fits the task, says that it is a demo, and holds nothing that no person would write."""

import json
from collections import Counter
from typing import Any

import pytest

from signoff.catalog import agent_files
from signoff.engine.model.demo.scripts import SCRIPTS, play
from signoff.engine.model.demo.task_words import (
    compared_things,
    customer_name,
    how_many,
    launched_thing,
    listed_names,
    parts,
)
from signoff.engine.model.demo.turns import Past

CONTROL = {"report_progress", "create_deliverable", "ask_question", "complete_task"}
ALL = frozenset({*CONTROL, "read_file", "list_files", "write_file", "send_message"})
PLANNING = frozenset({*CONTROL, "propose_plan", "read_file"})
TASKS = [
    "Compare three vendors of standing desks",
    "Compare HubSpot, Salesforce and Pipedrive, and tell the team.",
    "Mia asks where her refund is. Write a friendly reply.",
    "Plan the launch of version 2 and announce it.",
    "Which competitor raised prices this quarter, and what should we do?",
    "x",
    "null",
    "Öffne die Tür; dann schließe sie.\n\n- eins\n- zwei",
    "word " * 2000,
]


class Played:
    """A script played to its end, by somebody who approves all or refuses all."""

    def __init__(self, name: str, task: str, tools: frozenset[str], *, approves: bool = True, answer: str = "") -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.texts: list[str] = []
        results = dict[str, tuple[str, bool]]()
        files = dict[str, str]()
        for _ in range(20):
            turn = play(name, Past(task, tools, Counter(tool for tool, _ in self.calls), results))
            self.texts.append(turn.text)
            self.calls += turn.calls
            for tool, given in turn.calls:
                results[tool] = self._result(tool, given, files, approves, answer)
            if any(tool == "complete_task" for tool, _ in turn.calls):
                return
        raise AssertionError("it never ends")

    def _result(
        self, tool: str, given: dict[str, Any], files: dict[str, str], approves: bool, answer: str
    ) -> tuple[str, bool]:
        if tool == "ask_question":
            return json.dumps(answer or given.get("options", ["Europe"])[0]), True
        if tool == "read_file":
            return files[given["path"]], True
        if tool in ("write_file", "send_message", "propose_plan") and not approves:
            return "A person refused this.", False
        if tool == "write_file":
            files[given["path"]] = given["content"]
        steps = given.get("steps", [])
        return "\n".join(["Done.", *(f"Step {each['id']} ({each['tool']}) succeeded: yes" for each in steps)]), True

    def given(self, tool: str) -> list[dict[str, Any]]:
        return [given for name, given in self.calls if name == tool]

    @property
    def words(self) -> str:
        return json.dumps([self.texts, self.calls], ensure_ascii=False)


@pytest.mark.parametrize("approves", [True, False], ids=["approved", "refused"])
@pytest.mark.parametrize("tools", [ALL, frozenset(CONTROL), PLANNING], ids=["all tools", "no tools", "plan first"])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task[:20])
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_ends_with_words_that_a_person_would_write(
    name: str, task: str, tools: frozenset[str], approves: bool
) -> None:
    played = Played(name, task, tools, approves=approves)
    [end] = played.given("complete_task")
    assert end["summary"].strip() not in ("", task.strip())
    assert all(text.strip() for text in played.texts)
    said = played.words.replace(json.dumps(task, ensure_ascii=False)[1:-1], "")
    assert not any(odd in said for odd in ("None", "{}", "  ,")), said
    assert "null" not in said or task == "null"
    for each in played.given("create_deliverable"):
        is_text = each["type"] == "markdown"
        assert "Demo." in each["content"] if is_text else "made up for the demo" in each["content"]
        assert len(each["content"]) > (300 if is_text else 100)
        assert each["description"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_task_is_in_what_is_handed_over(name: str) -> None:
    task = "Compare the launch of purple teapots for Wilhelmina."
    played = Played(name, task, ALL)
    assert "purple teapots" in played.given("create_deliverable")[-1]["content"]


def test_a_stranger_s_comparison_names_their_words() -> None:
    played = Played("competitive-analysis", "Compare three vendors of standing desks", ALL)
    report = played.given("create_deliverable")[-1]["content"]
    assert report.startswith("# Competitive analysis: standing desks")
    assert "safest choice for standing desks" in report
    assert "| (made up) | Northwind | Halyard | Quillon |" in report
    assert "standing desks" in played.given("send_message")[0]["text"]
    assert "standing desks" in played.given("complete_task")[0]["summary"]


def test_the_report_is_for_whom_the_person_named() -> None:
    tools = ALL - {"write_file"}
    one = Played("competitive-analysis", TASKS[0], tools, answer="Whoever pays for it")
    assert "## For whoever pays for it" in one.given("create_deliverable")[-1]["content"]
    assert "costs more than that" in one.given("create_deliverable")[-1]["content"]
    free = Played("competitive-analysis", TASKS[0], tools, answer="The works council")
    assert "## For the works council" in free.given("create_deliverable")[-1]["content"]


def test_a_refused_reply_is_kept_whole() -> None:
    played = Played("support-reply", TASKS[2], ALL, approves=False)
    [kept] = played.given("create_deliverable")
    assert kept["name"] == "reply-to-mia.md"
    assert played.given("send_message")[0]["text"] in kept["content"]
    assert "Nothing was sent to Mia" in played.given("complete_task")[0]["summary"]


def test_a_launch_tells_what_was_done_and_what_was_left_out() -> None:
    task, tools = TASKS[3], frozenset({*CONTROL, "propose_plan"})
    done = "The plan was approved and carried out.\nStep notes (write_file) succeeded: Wrote 1 byte."
    turn = play("launch-plan", Past(task, tools, {"propose_plan": 1}, {"propose_plan": (done, True)}))
    content = turn.calls[0][1]["content"]
    before, after = content.split("## Left out, as you wished")
    assert "launch-plan.md" in before
    assert "#launch" in after
    assert turn.calls[1][1]["summary"] == "1 of 3 steps towards version 2 are done."


def test_the_shipped_agents_promise_what_their_scripts_hand_over() -> None:
    for file in agent_files.SHIPPED.glob("*.yaml"):
        agent = agent_files.read(file)
        played = Played(agent.model.removeprefix("demo:"), agent.example_tasks[0], ALL)
        names = [each["name"] for each in played.given("create_deliverable")]
        assert set(agent.typical_deliverables) == set(names), agent.slug


@pytest.mark.parametrize(
    ("task", "things"),
    [
        ("Compare three vendors of standing desks", "standing desks"),
        (
            "Compare the three vendors that sell agents with human approval, and tell the team.",
            "agents with human approval",
        ),
        ("please research the best noise-cancelling headphones", "noise-cancelling headphones"),
        ("Find options for lunch catering and recommend one", "lunch catering"),
        ("Compare HubSpot, Salesforce and Pipedrive", "HubSpot, Salesforce and Pipedrive"),
        ("Which competitor raised prices this quarter?", ""),
        ("", ""),
    ],
)
def test_what_a_task_compares(task: str, things: str) -> None:
    assert compared_things(task) == things


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("Compare HubSpot, Salesforce and Pipedrive, and tell the team.", ["HubSpot", "Salesforce", "Pipedrive"]),
        ("Compare Slack vs Teams", ["Slack", "Teams"]),
        ("Compare three vendors of desks and chairs", []),
        ("Compare prices and terms", []),
    ],
)
def test_the_names_that_a_task_gives_are_taken(task: str, names: list[str]) -> None:
    assert listed_names(task) == names


@pytest.mark.parametrize(
    ("task", "number"),
    [
        ("Compare five vendors of desks", 5),
        ("Compare 2 office chair suppliers", 2),
        ("Compare 1000000 vendors", 3),
        ("Compare 90 vendors", 5),
        ("Compare vendors", 3),
    ],
)
def test_how_many_are_compared(task: str, number: int) -> None:
    assert how_many(task) == number


@pytest.mark.parametrize(
    ("task", "thing"),
    [
        ("Plan the launch of version 2 and announce it.", "version 2"),
        ("Plan the launch of our summer sale and announce it", "our summer sale"),
        ("Announce the new price list", "the new price list"),
        ("Version 3", "Version 3"),
        ("", "what you have in mind"),
    ],
)
def test_what_is_launched(task: str, thing: str) -> None:
    assert launched_thing(task) == thing


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("Mia asks where her refund is. Write a friendly reply.", "Mia"),
        ("Write a reply to Jonas: his invoice is wrong.", "Jonas"),
        ("The customer Ada Moreno wants her money back", "Ada"),
        ("Please answer the last ticket.", ""),
        ("a customer is angry", ""),
    ],
)
def test_who_is_written_to(task: str, name: str) -> None:
    assert customer_name(task) == name


def test_a_task_of_several_things_is_taken_apart() -> None:
    assert parts("Find a venue for 20 people in May, and compare costs. Then book it!") == [
        "Find a venue for 20 people in May",
        "Compare costs",
        "Then book it",
    ]
