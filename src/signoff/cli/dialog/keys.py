"""Which key does what with an ask. Pure."""

from signoff.cli.terminal.typed_values import options
from signoff.kit.jsons import JsonObject

DECIDED = ("approval", "plan", "milestone", "budget")


def keys(ask: JsonObject, *, inbox: bool, cut: bool = False) -> dict[str, str]:
    """Each key with its word, in the order in which they are offered."""
    found = _deciding(ask) if ask["kind"] in DECIDED else _answering(ask)
    found |= {"v": "[v]iew all"} if cut else {}
    return found | {"s": "[s]kip"} | ({"q": "[q]uit"} if inbox else {})


def key_line(found: dict[str, str]) -> str:
    """The keys, as one line that explains itself."""
    numbers = [key for key in found if key.isdigit()]
    words = [f"[bold cyan]{'-'.join(dict.fromkeys((numbers[0], numbers[-1])))}[/] choose"] if numbers else []
    for word in filter(None, found.values()):
        before, _, rest = word.partition("[")
        letter, _, after = rest.partition("]")
        words.append(f"{before}[bold cyan]\\[{letter}][/]{after}")
    return "  ".join(words)


def _deciding(ask: JsonObject) -> dict[str, str]:
    found = {"a": "[a]pprove"}
    match ask["kind"]:
        case "approval":
            found |= {"e": "[e]dit"} if ask.get("arguments") is not None else {}
            found |= {"m": "approve, don't ask again [m]"} if ask.get("tool") else {}
            found |= {"r": "[r]eply instead"}
        case "plan":
            found = {"a": "[a]pprove", "c": "[c]hoose steps", "e": "[e]dit a step"}
        case "milestone":
            found |= {"n": "approve with a [n]ote"}
        case _:
            found |= {"c": "[c]hange the amounts"}
    return found | {"d": "[d]eny"} | ({"x": "[x] end the run"} if ask.get("run_id") else {})


def _answering(ask: JsonObject) -> dict[str, str]:
    if choices := options(ask):
        found = {str(number): "" for number in range(1, min(len(choices), 9) + 1)}
        return found | ({"r": f"answe[r] 1-{len(choices)}"} if len(choices) > 9 else {})
    if ask.get("response_type") in ("boolean", "approval"):
        return {"y": "[y]es", "n": "[n]o"}
    form = ask.get("response_type") == "form"
    found = {"r": "answe[r]"} | ({"e": "[e]dit as JSON"} if form else {})
    found |= {"u": "the [u]sual answer"} if ask.get("suggestion") else {}
    return found | ({"f": "the de[f]ault"} if ask.get("default") is not None else {})
