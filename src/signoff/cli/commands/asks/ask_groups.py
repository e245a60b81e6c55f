"""What waits, with similar asks as one line each."""

from signoff.cli.terminal import screen
from signoff.cli.terminal.screen import plain, say, since, table, toned
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject


def show_groups(groups: list[JsonObject], as_json: bool) -> None:
    """How many of each, where they go, and in what they differ."""
    if as_json:
        return screen.show_json(groups)
    if not groups:
        return say("No matches.")
    rows = [
        [
            str(each["count"]),
            plain(each["tool"] or each["first"]["title"]),
            plain(_words(each["target"]) or "-"),
            toned(each["risk"]["level"]) if each.get("risk") else "-",
            plain(", ".join(each["agents"])),
            plain(", ".join(differs["path"] for differs in each["differs"]) or "-"),
            since(each["oldest"]),
        ]
        for each in groups
    ]
    table(["COUNT", "WHAT", "TARGET", "RISK", "AGENT", "DIFFERS IN", "AGE"], rows)
    asks = sum(each["count"] for each in groups)
    return say(f"\n{asks} asks in {len(groups)} groups. `signoff inbox` offers one answer for all that are similar.")


def _words(target: JsonObject) -> str:
    return ", ".join(
        f"{name} {value if isinstance(value, str) else jsons.dumps(value)}" for name, value in target.items()
    )
