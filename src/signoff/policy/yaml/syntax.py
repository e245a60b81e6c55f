"""What breaks the YAML itself, in plain words."""

from yaml import MarkedYAMLError, YAMLError
from yaml.error import Mark

from signoff.policy.problems import RuleProblem

NO_YAML = "this is not valid YAML; look for a missing colon, quote or bracket"
# What the parser complains of → what to do. The first part that fits counts.
WORDS = (
    ("sequence entries are not allowed", "a list starts on a line of its own: write `- …` below the key"),
    ("unknown escape", "a backslash in double quotes must be doubled; or use single quotes"),
    ("expected the node content", "a value is missing here; put brackets and commas that are text in quotes"),
    ("did not find expected node content", "a value is missing here; put brackets and commas that are text in quotes"),
    ("could not find expected ':'", "this line needs a colon after its key: `key: value`"),
    ("expected <block end>", "this line is not aligned; indent it exactly like the lines around it"),
    ("did not find expected key", "this line is not aligned; indent it exactly like the lines around it"),
    ("did not find expected '-'", "this line is not aligned; indent it exactly like the lines around it"),
)


def syntax_problem(error: YAMLError, text: str) -> RuleProblem:
    """The parser's complaint as a problem: where it hurts, and what to write instead."""
    if not isinstance(error, MarkedYAMLError) or error.problem_mark is None:
        return RuleProblem(1, 1, NO_YAML)
    lines = text.splitlines() or [""]
    complaint, during = error.problem or "", error.context or ""
    here, begin = error.problem_mark, error.context_mark or error.problem_mark
    if "\t" in _indent(lines, here):
        return _problem(here, "there is a tab here; indent with spaces only")
    if "block scalar" in during:
        rest = _rest(lines, begin)
        return _problem(begin, f'a value that starts with {rest[:1]} must be in quotes: "{rest}"')
    if "alias" in during or "anchor" in during:
        return _problem(begin, f'a value that starts with {_rest(lines, begin)[:1]} must be in quotes: "*"')
    if "cannot start any token" in complaint:
        return _problem(here, f"a value cannot start with {_rest(lines, here)[:1]}; put it in quotes")
    if "quoted scalar" in during and "end of stream" in complaint:
        return _problem(begin, "this quote is never closed")
    if "flow" in during:
        opened = _rest(lines, begin)[:1]
        bracket = {"[": "]", "{": "}"}.get(opened) or ("]" if "sequence" in during else "}")
        return _problem(begin, f"this bracket is not closed where it should be; add the {bracket} or a comma")
    if "mapping values are not allowed" in complaint:
        return _problem(here, _second_colon(lines, here))
    return _problem(here, next((words for sign, words in WORDS if sign in complaint), NO_YAML))


def _second_colon(lines: list[str], here: Mark) -> str:
    line = _line(lines, here)
    if ": " in line[: here.column]:
        return "there is a second colon on this line; put the text in quotes, or start a new line"
    return "this line is not aligned, or the line above lacks its colon; indent it exactly like the lines around it"


def _problem(mark: Mark, message: str) -> RuleProblem:
    return RuleProblem(mark.line + 1, mark.column + 1, message)


def _line(lines: list[str], mark: Mark) -> str:
    return lines[mark.line] if mark.line < len(lines) else ""


def _rest(lines: list[str], mark: Mark) -> str:
    return _line(lines, mark)[mark.column :].strip()


def _indent(lines: list[str], mark: Mark) -> str:
    line = _line(lines, mark)
    return line[: len(line) - len(line.lstrip())]
