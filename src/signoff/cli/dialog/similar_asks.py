"""One answer for all that are alike."""

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.dialog.prompt import Back, Prompt
from signoff.cli.terminal.ask_text import brief
from signoff.cli.terminal.keyboard import GivenUp
from signoff.cli.terminal.screen import complain, plain, say, say_lines, toned
from signoff.cli.terminal.typed_values import places
from signoff.kit.jsons import JsonObject

# What a batch can carry; an edit, a plan or something to remember is for one ask alone.
CARRIED = ("decision", "value", "note")
MOST = 200


def alike(api: Api, ask: JsonObject) -> list[JsonObject]:
    """The other open asks that are like this one, oldest first."""
    found = api.items(path("asks"), MOST, status="pending", alike=ask["id"])
    return [each for each in found if each["id"] != ask["id"]]


def fits_all(body: JsonObject) -> bool:
    """Can this answer be given to others, too?"""
    return set(body) <= {*CARRIED, "digest"}


def answer_all(api: Api, others: list[JsonObject], body: JsonObject, *, shown: bool) -> list[str]:
    """Give them all the same answer and say how each came out. The ids of those that took it."""
    sent = {name: body[name] for name in CARRIED if name in body}
    # What somebody edited is only answered by who was shown it.
    known = others if shown else [each for each in others if each.get("original_arguments") is None]
    seen = {each["id"]: each["digest"] for each in known if each.get("digest")}
    sent |= {"digests": seen} if seen else {}
    results = api.post(path("asks", "batch"), {"ids": [each["id"] for each in others], **sent})["results"]
    took, titles = list[str](), {each["id"]: each["title"] for each in others}
    for result in results:
        if result.get("error"):
            say(f"[red]✗[/] {plain(titles[result['id']])}: {plain(result['error'])}")
        else:
            took.append(result["id"])
            word = "signed" if result["status"] == "pending" else result["status"]
            say(f"[green]✓[/] {toned(word)}: {plain(titles[result['id']])}")
    return took


def offer_alike(api: Api, prompt: Prompt, ask: JsonObject, body: JsonObject) -> list[str]:
    """Offer the answer just given for those that are alike. Each is shown: nobody approves unseen."""
    if not ask.get("similar") or not fits_all(body):
        return []
    try:
        others = alike(api, ask)
        if not others:
            return []
        are = "ask is" if len(others) == 1 else "asks are"
        say(f"\n[bold]{len(others)} similar[/] [dim]{are} waiting, too. Same answer?[/]")
        say_lines([f"  [bold]{place}[/]  {brief(each)}" for place, each in enumerate(others, 1)])
        return answer_all(api, _chosen(prompt, others), body, shown=True)
    except (Back, GivenUp):
        return []
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
