"""What a task is about, in its own words: enough for a script to write something that fits. Pure."""

import re

LONGEST = 80
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
_NUMBER = rf"\d+|{'|'.join(NUMBERS)}"
# From here on a task says what to do with the result.
_AFTERWARDS = re.compile(
    r",?\s+(?:and|then)\s+(?:then\s+)?(?:tell|send|write|announce|give|recommend|say|report|let|mail|post|share|suggest"
    r"|what|how|why|who|which|when|where)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_SELLERS = (
    r"vendors?|suppliers?|providers?|makers?|sellers?|brands?|manufacturers?|compan(?:y|ies)|competitors?|shops?|stores?"
    r"|agenc(?:y|ies)|options?|alternatives?|offers?|quotes?|products?|services?|solutions?"
)
_SOLD = re.compile(
    rf"\b(?:{_SELLERS})\s+(?:of|for|(?:that|which|who)\s+\w+|selling|making|offering)\s+(.+)", re.IGNORECASE | re.DOTALL
)
_COMPARED = re.compile(
    r"^(?:please\s+|can you\s+|could you\s+)?(?:compare|analy[sz]e|research|evaluate|review|assess|rank|benchmark"
    r"|investigate|look (?:at|into|for)|find|choose|pick)\s+"
    rf"(?:(?:the|some|a few|a|an|our|best|top|{_NUMBER})\s+)*(.+)",
    re.IGNORECASE | re.DOTALL,
)
_LAUNCHED = re.compile(
    r"\b(?:launch|release|start|opening|rollout|roll-out|introduction)\s+(?:of|for)\s+(.+)",
    re.IGNORECASE | re.DOTALL,
)
_PLANNED = re.compile(
    r"^(?:please\s+)?(?:plan|prepare|coordinate|organi[sz]e|launch|release|announce)\s+(.+)",
    re.IGNORECASE | re.DOTALL,
)
_NO_NAMES = {
    "A",
    "An",
    "The",
    "Our",
    "Customer",
    "Please",
    "Write",
    "Reply",
    "Answer",
    "Somebody",
    "Someone",
    "I",
    "We",
}
_CUSTOMER = re.compile(
    r"\b(?:[Rr]eply|[Aa]nswer|[Rr]espond|[Ww]rite)(?:\s+back)?\s+to\s+([A-Z]\w+)|\bfrom\s+([A-Z]\w+)"
    r"|(?:^|[.!?]\s+)(?:[Cc]ustomer\s+|[Tt]he\s+customer\s+)?([A-Z]\w+)(?:\s+[A-Z]\w+)?\s+[a-z]"
)


def clause(task: str) -> str:
    """The first thing that a task says, in one line, without what comes afterwards."""
    first = re.split(r"(?<=[.?!])\s|[\n;]", task.strip(), maxsplit=1)[0]
    return _short(_AFTERWARDS.sub("", first).rstrip(" .,!?:"))


def compared_things(task: str) -> str:
    """What is compared: `standing desks`. Empty: the task does not say it in a way that a script understands."""
    said = clause(task)
    found = _SOLD.search(said) or _COMPARED.search(said)
    return _short(found[1]) if found else ""


def listed_names(task: str) -> list[str]:
    """The names that a task compares: `Compare Slack, Teams and Zoom`."""
    found = _COMPARED.search(clause(task))
    if not found:
        return []
    names = [each.strip() for each in re.split(r",\s*(?:and\s+)?|\s+(?:and|or|vs\.?|versus|with)\s+", found[1])]
    are_names = all(re.fullmatch(r"[A-Z0-9][\w.&'+-]*(?: [\w.&'+-]+){0,2}", each) for each in names)
    return names if are_names and 2 <= len(names) <= max(NUMBERS.values()) else []


def how_many(task: str) -> int:
    """How many are to be compared; three where nobody says."""
    found = re.search(rf"\b({_NUMBER})\b(?:\s+\w+){{0,2}}?\s+(?:{_SELLERS})\b", task, re.IGNORECASE)
    said = found[1].lower() if found else "three"
    number = NUMBERS.get(said) or (int(said) if said.isdecimal() and len(said) < 4 else 3)
    return min(max(number, 2), max(NUMBERS.values()))


def launched_thing(task: str) -> str:
    said = clause(task)
    found = _LAUNCHED.search(said) or _PLANNED.search(said)
    return _short(found[1]) if found else said or "what you have in mind"


def customer_name(task: str) -> str:
    """Who is written to; empty where no name is to be seen."""
    names = (found[found.lastindex or 0] for found in _CUSTOMER.finditer(task))
    return next((name for name in names if name not in _NO_NAMES), "")


def parts(task: str) -> list[str]:
    """What a task wants, one thing each."""
    sentences = re.split(r"(?<=[.?!])\s+|[\n;]", task.strip())
    found = [part for each in sentences for part in re.split(r",\s*(?:and|then)\s+", each)]
    kept = [_short(part.strip(" -*•.,!?:")) for part in found]
    return [part[:1].upper() + part[1:] for part in kept if part][:8]


def quoted(task: str, most: int = 1_000) -> str:
    """The task as a quotation in Markdown."""
    text = task.strip()
    shown = text if len(text) <= most else f"{text[:most].rstrip()} …"
    return "\n".join(f"> {line}" for line in shown.splitlines() or [""])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST].rsplit(' ', 1)[0]} …"
