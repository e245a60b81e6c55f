"""Which arguments can make a call a dry run. That they do is a reviewer's word, never the server's. Pure."""

from typing import Any, cast

from signoff.kit.jsons import JsonObject

NAMES = ("dry_run", "dryRun", "dry-run", "preview")


def dry_run_arguments(schema: JsonObject) -> list[str]:
    """Those that the schema has at its top, as yes or no."""
    has: Any = schema.get("properties")
    found = cast("JsonObject", has) if isinstance(has, dict) else {}
    return [name for name in NAMES if _is_boolean(found.get(name))]


def _is_boolean(about: Any) -> bool:
    return isinstance(about, dict) and cast("JsonObject", about).get("type") == "boolean"
