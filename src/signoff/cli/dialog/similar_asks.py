"""One answer for all that are alike."""

from collections.abc import Callable

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.dialog.prompt import Back, Prompt
from signoff.cli.terminal.ask_text import brief
from signoff.cli.terminal.keyboard import GivenUp
from signoff.cli.terminal.screen import complain, plain, say, say_lines, toned
from signoff.cli.terminal.typed_values import places
from signoff.kit.jsons import JsonObject

# What a batch can carry; an edit, a plan or something to remember is for one ask alone.
CARRIED = ("decision", "value", "note")
# So many in one request.
MOST = 200
# Nobody reads a longer list; what is left comes by itself.
LONGEST = 1_000


def alike(api: Api, ask: JsonObject) -> list[JsonObject]:
    """The other open asks that are like this one, oldest first."""
    found = api.items(path("asks"), LONGEST, status="pending", alike=ask["id"])
    return [each for each in found if each["id"] != ask["id"]]


def fits_all(body: JsonObject) -> bool:
    """Can this answer be given to others, too?"""
    return set(body) <= {*CARRIED, "digest"}


def answer_all(
    api: Api, others: list[JsonObject], body: JsonObject, *, shown: bool, tell: Callable[[str], None] = say
) -> list[str]:
    """Give them all the same answer, in parts, and say how each came out. The ids of those that took it."""
    took = list[str]()
    for start in range(0, len(others), MOST):
        took += _answer_part(api, others[start : start + MOST], body, shown, tell)
    return took


def _answer_part(
    api: Api, others: list[JsonObject], body: JsonObject, shown: bool, tell: Callable[[str], None]
) -> list[str]:
    sent = {name: body[name] for name in CARRIED if name in body}
    # What somebody edited is only answered by who was shown it.
    known = others if shown else [each for each in others if each.get("original_arguments") is None]
    seen = {each["id"]: each["digest"] for each in known if each.get("digest")}
    sent |= {"digests": seen} if seen else {}
    results = api.post(path("asks", "batch"), {"ids": [each["id"] for each in others], **sent})["results"]
    took, titles = list[str](), {each["id"]: each["title"] for each in others}
    for result in results:
        if result.get("error"):
            tell(f"[red]✗[/] {plain(titles[result['id']])}: {plain(result['error'])}")
        else:
            took.append(result["id"])
            word = "signed" if result["status"] == "pending" else result["status"]
            tell(f"[green]✓[/] {toned(word)}: {plain(titles[result['id']])}")
    return took


def choose_alike(api: Api, prompt: Prompt, ask: JsonObject, body: JsonObject) -> list[JsonObject]:
    """Offer an answer for those that are alike, too. Each is shown: nobody approves unseen."""
    if not ask.get("similar") or ask.get("apart") or not fits_all(body):
        return []
    try:
        others = alike(api, ask)
        if not others:
            return []
        are = "ask is" if len(others) == 1 else "asks are"
        say(f"\n[bold]{len(others)} similar[/] [dim]{are} waiting, too. Same answer?[/]")
        say_lines([f"  [bold]{place}[/]  {brief(each)}" for place, each in enumerate(others, 1)])
        return _chosen(prompt, others)
    except (Back, GivenUp):
        return []


def offer_alike(api: Api, prompt: Prompt, ask: JsonObject, body: JsonObject) -> list[str]:
    """Give the answer just given to those that are alike, if the person wants."""
    try:
        return answer_all(api, choose_alike(api, prompt, ask, body), body, shown=True)
    except Failure as failure:
        complain(failure.message, failure.details)
        return []


def _chosen(prompt: Prompt, others: list[JsonObject]) -> list[JsonObject]:
    choose = {"c": "[c]hoose some"} if len(others) > 1 else {}
    match prompt.press({"y": f"[y]es, apply to all {len(others)}", **choose, "n": "[n]o"}):
        case "y":
            return others
        case "c":
            picked = places(prompt.words(f"Which? 1-{len(others)}, such as 1,3 (Enter to go back): "), len(others))
            return [others[place] for place in picked]
        case _:
            raise Back
