"""What a person changed in the arguments, field by field. Pure."""

from typing import Any, Literal

from pydantic import BaseModel


class Change(BaseModel):
    path: str
    original: Any
    modified: Any
    change: Literal["added", "removed", "changed"]


def diff(original: Any, modified: Any, path: str = "") -> list[Change]:
    """Every place where the two differ, in the order of the original."""
    if isinstance(original, dict) and isinstance(modified, dict):
        return _diff_objects(original, modified, path)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(original, list) and isinstance(modified, list):
        return _diff_lists(original, modified, path)  # pyright: ignore[reportUnknownArgumentType]
    if _same(original, modified):
        return []
    return [Change(path=path, original=original, modified=modified, change="changed")]


def _same(original: Any, modified: Any) -> bool:
    """Equal, and a number is no boolean."""
    return original == modified and isinstance(original, bool) == isinstance(modified, bool)


def _diff_objects(original: dict[str, Any], modified: dict[str, Any], path: str) -> list[Change]:
    changes = list[Change]()
    for key in [*original, *(key for key in modified if key not in original)]:
        place = f"{path}.{key}" if path else key
        if key not in modified:
            changes.append(Change(path=place, original=original[key], modified=None, change="removed"))
        elif key not in original:
            changes.append(Change(path=place, original=None, modified=modified[key], change="added"))
        else:
            changes += diff(original[key], modified[key], place)
    return changes


def _diff_lists(original: list[Any], modified: list[Any], path: str) -> list[Change]:
    changes = list[Change]()
    for index in range(max(len(original), len(modified))):
        place = f"{path}[{index}]"
        if index >= len(modified):
            changes.append(Change(path=place, original=original[index], modified=None, change="removed"))
        elif index >= len(original):
            changes.append(Change(path=place, original=None, modified=modified[index], change="added"))
        else:
            changes += diff(original[index], modified[index], place)
    return changes
