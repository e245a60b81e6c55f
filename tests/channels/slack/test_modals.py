"""What a button does not say by itself is asked for in a modal: a reason, arguments, an answer."""

from typing import Annotated, Any

import pytest
from pydantic import Field

from signoff.tools import tool
from tests.channels.slack.office import NUMBERS, Office
from tests.channels.slack.receiver import words
from tests.contract.ruling import look
from tests.contract.scenes import run_that, waiting
from tests.wire import call, says


def order(amount: Annotated[int, Field(ge=1)], gift: bool, lines: list[int], to: str | None = None) -> str:
    """Order something."""
    return f"{amount} {gift} {lines} {to}"


def text(value: str) -> dict[str, Any]:
    return {"type": "plain_text_input", "value": value}


def option(view: dict[str, Any], label: str) -> dict[str, Any]:
    """What Slack sends when this option is chosen."""
    elements = [block["element"] for block in view["blocks"] if block["type"] == "input"]
    offered = [each for element in elements for each in element.get("options", [])]
    return {"selected_option": next(each for each in offered if each["text"]["text"] == label)}


def question(**fields: Any) -> dict[str, Any]:
    return call("ask_question", {"question": "Which?", "type": "blocking", "responseType": "text", **fields})


def test_a_refusal_takes_its_reason_from_a_modal(office: Office) -> None:
    run, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    view = office.open(ask, "deny", ana)
    ticked = {"selected_options": [{"value": "end"}]}
    wrong = office.submit(view, ana, note=text(""), end_run=ticked)
    assert wrong == {"response_action": "errors", "errors": {"note": "Say why"}}
    assert office.submit(view, ana, note=text("Not today."), end_run={"selected_options": []}) is None
    decided = look(office.house, ask)
    assert (decided["status"], decided["answer"]["note"]) == ("denied", "Not today.")
    assert office.house.ended(run)["status"] == "completed"


def test_a_refusal_can_end_the_run(office: Office) -> None:
    run, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    office.submit(
        office.open(ask, "deny", ana), ana, note=text("Stop."), end_run={"selected_options": [{"value": "end"}]}
    )
    assert office.house.ended(run)["status"] == "cancelled"


def test_arguments_are_edited_in_a_modal(office: Office) -> None:
    run, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    view = office.open(ask, "edit", ana)
    fields = {block["label"]["text"]: block["element"]["initial_value"] for block in view["blocks"][1:]}
    assert fields == {"path": "numbers.txt", "content": "one\ntwo"}
    assert office.submit(view, ana, argument__0=text("numbers.txt"), argument__1=text("three")) is None
    decided = look(office.house, ask)
    assert (decided["status"], decided["answer"]["arguments"]["content"]) == ("approved", "three")
    assert office.house.ended(run)["status"] == "completed"


def test_a_modal_shows_what_is_wrong_with_the_arguments(office: Office) -> None:
    office.house.parts.context.registry.register(tool(risk="high")(order))
    ordered = {"amount": 3, "gift": False, "lines": [1], "to": None}
    run = run_that(office.house, says("", call("order", ordered)), tools=("order",))
    ask, ana = office.house.ask(run), office.person()
    view = office.open(ask, "edit", ana)
    wrong = {
        "argument__0": text("three"),
        "argument__1": text("perhaps"),
        "argument__2": text("[1"),
        "argument__3": text(""),
    }
    said = office.submit(view, ana, **wrong)
    assert said["response_action"] == "errors"
    problems = ["Write a number.", "Write true or false.", "Write valid JSON."]
    assert said["errors"] == {f"argument:{number}": each for number, each in enumerate(problems)}
    said = office.submit(
        view, ana, **(wrong | {"argument__0": text("-3"), "argument__1": text("yes"), "argument__2": text("[1]")})
    )
    assert list(said["errors"]) == ["argument:0"]
    assert look(office.house, ask)["status"] == "pending"
    good = {
        "argument__0": text("5"),
        "argument__1": text("yes"),
        "argument__2": text("[1, 2]"),
        "argument__3": text("Ana"),
    }
    assert office.submit(view, ana, **good) is None
    assert look(office.house, ask)["answer"]["arguments"] == {"amount": 5, "gift": True, "lines": [1, 2], "to": "Ana"}


def test_a_modal_that_came_too_late_says_how_it_ended(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana, ben = office.person(), office.person()
    view = office.open(ask, "edit", ana)
    office.press(ask, "approve", ben)
    late = office.submit(view, ana, argument__0=text("a"), argument__1=text("b"))
    assert late["response_action"] == "update"
    assert "already approved" in words(late["view"]["blocks"])


def test_an_approval_is_sent_back_with_other_words(office: Office) -> None:
    _, ask = waiting(office.house, NUMBERS)
    ana = office.person()
    office.submit(office.open(ask, "respond", ana), ana, value=text("Use letters."))
    decided = look(office.house, ask)
    assert (decided["status"], decided["answer"]["value"]) == ("answered", "Use letters.")


def test_a_question_is_answered_in_words(office: Office) -> None:
    run, ask = waiting(office.house, question())
    member = office.person("member")
    view = office.open(ask, "respond", member)
    assert office.submit(view, member, value=text(""))["response_action"] == "errors"
    assert office.submit(view, member, value=text("The blue one.")) is None
    assert look(office.house, ask)["answer"]["value"] == "The blue one."
    assert office.house.ended(run)["status"] == "completed"


def test_a_number_is_answered_with_one(office: Office) -> None:
    _, ask = waiting(office.house, question(responseType="number"))
    member = office.person("member")
    view = office.open(ask, "respond", member)
    assert office.submit(view, member, value=text("many"))["errors"] == {"value": "Write a number."}
    office.submit(view, member, value=text(" 12.5 "))
    assert look(office.house, ask)["answer"]["value"] == 12.5


def test_few_choices_are_decided_by_one_press(office: Office) -> None:
    options = [{"label": "Blue", "value": "b"}, {"label": "Red", "value": "r"}]
    _, ask = waiting(office.house, question(responseType="choice", options=options))
    assert office.press(ask, "choice:1", office.person("member")).startswith("Answered by")
    assert look(office.house, ask)["answer"]["value"] == "r"


def test_yes_or_no_is_decided_by_one_press(office: Office) -> None:
    _, ask = waiting(office.house, question(responseType="boolean"))
    assert office.button(ask, "choice:1")["text"]["text"] == "No"
    office.press(ask, "choice:1", office.person("member"))
    assert look(office.house, ask)["answer"]["value"] is False


@pytest.mark.parametrize("count", [8, 30])
def test_many_choices_are_chosen_from_in_a_modal(office: Office, count: int) -> None:
    options = [{"label": f"Colour {number}", "value": {"number": number}} for number in range(count)]
    _, ask = waiting(office.house, question(responseType="choice", options=options))
    member = office.person("member")
    view = office.open(ask, "respond", member)
    assert office.submit(view, member, value=option(view, "Colour 6")) is None
    assert look(office.house, ask)["answer"]["value"] == {"number": 6}
