"""Which arguments only say something, to nobody in particular, so that another text in their place changes nothing."""

import re
from collections.abc import Mapping

from signoff.policy.argument_kinds import DOCUMENT, PROSE, TEXT, Leaf, is_prose
from signoff.policy.targets import is_path, is_prose_name, words_of

# What a machine carries out, whatever the argument's last word is.
_CARRIED = """query queries command commands cmd cmds sql script scripts code codes request requests json xml yaml html
    argv args shell payload graphql expression formula template"""
# Beside one of these a text is what is sent to a machine.
_BESIDE = "url urls uri uris endpoint method verb header headers webhook href"
# Files that are read by people. What has another ending, or none, may be carried out.
_ENDINGS = "md markdown txt text csv tsv rst adoc log"
CARRIED_OUT, SENT = frozenset(_CARRIED.split()), frozenset(_BESIDE.split())
READ_BY_PEOPLE = frozenset(_ENDINGS.split())
_CODE = re.compile(
    r"\S+\.(?:sh|bash|zsh|fish|ps1|bat|cmd|exe|py|pyw|rb|pl|php|js|mjs|cjs|jsx|ts|tsx|go|rs|c|h|cpp|java|kt|lua|sql|"
    r"html?|xhtml|svg|css|ya?ml|json[lc5]?|toml|ini|cfg|conf|env|xml|service|plist|tf|gradle|lock|reg|vbs|jar|ipynb)",
    re.IGNORECASE,
)


def free_paths(found: Mapping[str, Leaf]) -> frozenset[str]:
    """The arguments that are prose; none of them where a machine is told to do something with it."""
    links = prose_of(found) == DOCUMENT
    if any(_tells_a_machine(path, leaf, links) for path, leaf in found.items()):
        return frozenset()
    return frozenset(path for path, leaf in found.items() if _is_said(path, leaf, links))


def prose_of(found: Mapping[str, Leaf]) -> str:
    """What the prose of a call is: a document where the call names the file that it goes into."""
    return DOCUMENT if any(is_path(last_step(path)) and leaf.kind == TEXT for path, leaf in found.items()) else PROSE


def _is_said(path: str, leaf: Leaf, links: bool) -> bool:
    if leaf.kind != TEXT or leaf.listed or not is_prose_name(last_step(path)) or _words(path) & CARRIED_OUT:
        return False
    return is_prose(leaf.values[0], last_step(path), links=links)


def _tells_a_machine(path: str, leaf: Leaf, links: bool) -> bool:
    if words_of(last_step(path)) & SENT:
        return True
    if leaf.kind != TEXT or _is_said(path, leaf, links):
        return False
    values = [value for value in leaf.values if isinstance(value, str)]
    if is_path(last_step(path)):
        return any(ending(value).lower() not in READ_BY_PEOPLE for value in values)
    return any("://" in value or _CODE.fullmatch(value.strip()) for value in values)


def ending(path: str) -> str:
    """`md` of `reports/a.md`; nothing for a file of no kind."""
    stem, dot, kind = path.rpartition("/")[2].rpartition(".")
    return kind if stem and dot else ""


def last_step(path: str) -> str:
    return path.rpartition(".")[2]


def _words(path: str) -> frozenset[str]:
    return frozenset(word for step in path.split(".") for word in words_of(step))
