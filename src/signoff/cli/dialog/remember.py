"""What else an approval should allow, for how long, and what that would have meant so far: as the web app says it."""

from typing import cast

from signoff.cli.api_client import Api, Failure, path
from signoff.cli.dialog.prompt import Back, Prompt
from signoff.cli.terminal.screen import complain, plain, say, say_lines
from signoff.cli.terminal.typed_values import many
from signoff.kit.jsons import JsonObject

LEAVE = {"u": "suggest a r[u]le", "b": "[b]ack"}
# A key for each of the times that the server offers, shortest first.
DAYS = "dwm"


def choose_remember(api: Api, prompt: Prompt, ask: JsonObject) -> JsonObject | str:
    """What to remember, as an answer says it."""
    try:
        offers: JsonObject = api.get(path("asks", ask["id"], "remember"))
    except Failure as failure:
        complain(failure.message, failure.details)
        raise Back from None
    ends = end_keys(offers)
    choices = many(offers, "choices") if ends else []
    if offers.get("why_not"):
        say(f"No allowance is possible: {plain(offers['why_not'])}.")
    if not offers["scopes"]:
        raise Back
    for number, choice in enumerate(choices, 1):
        say_lines(choice_text(number, choice, offers["looked_at"]))
    pressed = prompt.press({str(number): "" for number in range(1, len(choices) + 1)} | LEAVE)
    if pressed == "b":
        raise Back
    if pressed == "u":
        return "rule"
    say(only_this(ask))
    end = prompt.press(ends | {"b": "[b]ack"})
    if end == "b":
        raise Back
    return to_remember(choices[int(pressed) - 1], offers, end)


def choice_text(number: int, choice: JsonObject, looked_at: int) -> list[str]:
    """A choice with its sentence and what it would have meant, as markup."""
    suggested = " [dim](suggested)[/]" if choice["is_default"] else ""
    lines = [f"  [bold]{number}[/]  {plain(choice['label'])}{suggested}", f"     {plain(choice['sentence'])}"]
    lines.append(f"     [dim]{past_words(choice['approved'], looked_at)}[/]")
    if objected := choice["refused"] + choice["edited"]:
        titles = ", ".join(plain(each["title"]) for each in choice["let_through"][:3])
        lines.append(
            f"     [red]It would also have let through {objected} that someone denied or changed: {titles}.[/]"
        )
    return lines


def past_words(approved: int, looked_at: int) -> str:
    """What a choice would have meant so far."""
    if looked_at == 0:
        return "The first call of this kind."
    if approved == 0:
        return "It would have saved no asks so far."
    return f"It would have saved {approved} {'ask' if approved == 1 else 'asks'} so far."


def only_this(ask: JsonObject) -> str:
    risk: str = cast("JsonObject", ask.get("risk") or {}).get("level") or "this"
    return f"[dim]Only up to {plain(risk)} risk. Anything else still asks. You can remove this under Rules.[/]"


def end_keys(offers: JsonObject) -> dict[str, str]:
    """How long it may last for this person: admins allow things for an agent, others for the run."""
    run = {"r": "this [r]un"} if "run" in offers["scopes"] else {}
    if "agent" not in offers["scopes"]:
        return run
    return run | {key: f"[{key}] {_days(hours)}" for key, hours in zip(DAYS, offers["hours"], strict=False)}


def to_remember(choice: JsonObject, offers: JsonObject, end: str) -> JsonObject:
    """Several calls at once are each remembered for their own kind."""
    where = {} if choice["name"] == "each" else {"where": choice["where"]}
    if end == "r":
        return {"scope": "run", **where}
    return {"scope": "agent", **where, "expires_in_hours": offers["hours"][DAYS.index(end)]}


def _days(hours: int) -> str:
    return "1 day" if hours == 24 else f"{hours // 24} days"
