"""What a connection's tools are called for model, rules and grants alike: its slug, two underscores, the tool."""

SEPARATOR = "__"


def whole_name(slug: str, tool: str) -> str:
    return f"{slug}{SEPARATOR}{tool}"


def split(name: str) -> tuple[str, str]:
    """The connection's slug and the tool; no tool where the name is no connection's."""
    slug, _, tool = name.partition(SEPARATOR)
    return slug, tool


def short_name(slug: str, name: str) -> str:
    """The tool's own name, whether it was given with the slug or without."""
    return name.removeprefix(whole_name(slug, ""))


def is_of_connection(name: str) -> bool:
    return SEPARATOR in name
