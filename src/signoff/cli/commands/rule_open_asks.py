"""Open asks that the rules of now would let through: shown, and applied."""

from typing import cast

from signoff.cli.api_client import Api, path
from signoff.cli.terminal.screen import hint, plain, say, table
from signoff.kit.jsons import JsonObject

# What the server takes at once.
TOGETHER = 200


def show_passing(found: list[JsonObject]) -> None:
    if not found:
        return say("No open ask would pass by the current rules.")
    say(f"{len(found)} open ask{' would' if len(found) == 1 else 's would'} now pass.")
    rows = [[each["id"], plain(each["title"]), plain(each["agent"]), plain(each["why"])] for each in found]
    table(["ID", "ASK", "AGENT", "WHY"], rows)
    return hint("To let them through:", "signoff rules open-asks --apply")


def apply_rules(api: Api, found: list[JsonObject]) -> list[JsonObject]:
    """Let exactly what was listed through."""
    results = list[JsonObject]()
    for start in range(0, len(found), TOGETHER):
        some = found[start : start + TOGETHER]
        body = {"ids": [each["id"] for each in some], "digests": {each["id"]: each["digest"] or "" for each in some}}
        results += cast("list[JsonObject]", api.post(path("rules", "open-asks", "apply"), body)["results"])
    return results


def result_words(results: list[JsonObject]) -> str:
    """How it went, in one sentence."""
    left = [each["error"] for each in results if each.get("error")]
    done = len(results) - len(left)
    passed = f"{done} ask{'' if done == 1 else 's'} passed."
    return f"{passed} {len(left)} left open: {plain(left[0])}" if left else passed
