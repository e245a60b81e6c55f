"""A text of rules is read whole, or every mistake is named at its line and column with what to write instead."""

import pytest
import yaml

from signoff.policy.evaluate import AskFirst, Conditions, EscalationStep, Stage
from signoff.policy.yaml import positions
from signoff.policy.yaml.positions import MOST_BYTES_IN
from signoff.policy.yaml.read import read_rules
from tests.policy.trying import a_call, judge, one_rule, problems

RULE = "checkpoints:\n  - name: it\n    action: ask\n"
AUTO = "auto_approval:\n  rules:\n    - name: it\n      conditions: {risk_level: low}\n"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing yet\n", "---\n", "checkpoints: []\n", "version: '1.0'\n"])
def test_an_empty_text_holds_no_rules(text: str) -> None:
    assert list(read_rules(text).rules()) == []


@pytest.mark.parametrize("version", ['"1.0"', "1.0", "1"])
def test_the_version_may_be_written_as_text_or_number(version: str) -> None:
    assert problems(f"version: {version}\n") == []


def conditions(action: str) -> Conditions:
    verdict = judge(one_rule(action=action), a_call())
    assert isinstance(verdict, AskFirst)
    return verdict.conditions


def test_everything_that_a_rule_may_want_of_an_ask_arrives() -> None:
    wanted = conditions("""{
      require_approval_count: 2, approvers: [a@example.com, approver, "group:finance"], four_eyes: true,
      timeout_seconds: 600, on_timeout: escalate, remind_before_seconds: [300, 60],
      escalation: [{after_seconds: 60, escalate_to: b@example.com}, {enabled: false},
                   {after_seconds: 900, escalate_to: [c@example.com, d@example.com]}],
      notification: {channels: slack, recipients: [team@example.com]}, batch_alike: true}""")
    assert wanted == Conditions(
        approvals=2,
        approvers=("a@example.com", "role:approver", "group:finance"),
        four_eyes=True,
        timeout_seconds=600,
        on_timeout="escalate",
        escalation=(EscalationStep(60, ("b@example.com",)), EscalationStep(900, ("c@example.com", "d@example.com"))),
        remind_before_seconds=(300, 60),
        channels=("slack",),
        recipients=("team@example.com",),
        batch_alike=True,
    )


def test_stages_keep_their_order_and_add_up() -> None:
    wanted = conditions("{stages: [{name: lead, approvers: role:approver}, {approvers: [admin], count: 2}]}")
    assert wanted.stages == (Stage("lead", ("role:approver",), 1), Stage("Stage 2", ("role:admin",), 2))
    assert wanted.approvals == 3


@pytest.mark.parametrize("action", ["ask", "{}", "{auto_approve: false}", "{deny: false}"])
def test_a_rule_that_says_no_more_asks_one_person_and_waits(action: str) -> None:
    assert conditions(action) == Conditions()


@pytest.mark.parametrize(
    ("added", "line", "column", "message"),
    [
        (
            "    triger: {}",
            4,
            5,
            "unknown key `triger`; did you mean `trigger`? Use one of: name, enabled, description",
        ),
        ("    trigger: {tol: x}", 4, 15, "unknown key `tol`; did you mean `tool`?"),
        ("    action: ask", 4, 5, "`action` appears twice; keep one of them"),
        ("    trigger:", 4, 5, "`trigger` has no value: write one, or leave the key out"),
        ("    trigger: {risk_level: ~}", 4, 15, "`risk_level` has no value"),
        ("    trigger: {risk_level: []}", 4, 27, "`risk_level` is empty; write at least one entry"),
        ("    trigger: {risk_level: [low, hihg]}", 4, 33, "unknown risk level `hihg`; did you mean `high`?"),
        ("    trigger: {risk_level: High}", 4, 27, "did you mean `high`? Use one of: low, medium, high, critical"),
        ("    trigger: {risk_level: 3}", 4, 27, "unknown risk level `3`. Use one of: low, medium, high, critical"),
        ("    trigger: high", 4, 14, "`trigger` must be a block of `key: value` lines"),
        ("    trigger: {tool: 5}", 4, 21, "`tool` must be text"),
        ("    trigger: {tool: *_file}", 4, 21, 'a value that starts with * must be in quotes: "*_file"'),
        ("    trigger:\n      tool: *", 5, 13, 'a value that starts with * must be in quotes: "*"'),
        ("    priority: high", 4, 15, "`priority` must be a whole number, without quotes"),
        ("    priority: 1.5", 4, 15, "`priority` must be a whole number"),
        ("    enabled: yes", 4, 14, "`enabled` must be true or false, without quotes"),
        ("    enabled: 'true'", 4, 14, "`enabled` must be true or false, without quotes"),
        ("    description: [a]", 4, 18, "`description` must be text"),
        ("    trigger: {confidence: 0.8}", 4, 27, "`0.8` is not a comparison; write an operator and a number, such as"),
        ("    trigger: {confidence: '>= 80%'}", 4, 27, 'write an operator and a number, such as ">= 0.8"'),
        ("    trigger: {confidence: '>= 80'}", 4, 27, "`confidence` must be at most 1"),
        ("    trigger:\n      confidence: >= 0.8", 5, 19, 'a value that starts with > must be in quotes: ">= 0.8"'),
        ("    trigger: {cost: {operator: in, value: 5}}", 4, 32, "unknown operator `in`"),
        ("    trigger: {cost: {operator: '>'}}", 4, 21, "`value` is missing; write for example `value: 10`"),
        (
            "    trigger: {confidence: '> 0.5', agent_confidence: '> 0.5'}",
            4,
            15,
            "`confidence` and `agent_confidence` are the same; keep one of them",
        ),
    ],
)
def test_a_mistake_is_named_where_it_stands(added: str, line: int, column: int, message: str) -> None:
    (found,) = problems(RULE + added + "\n")
    assert found[:2] == (line, column)
    assert message in found[2]


@pytest.mark.parametrize(
    ("threshold", "column", "message"),
    [
        (
            "{field: x, operator: gt, value: 1}",
            53,
            "unknown operator `gt`. Use one of: >, >=, <, <=, ==, !=, in, not_in",
        ),
        ("{field: x, operator: '>', value: lots}", 58, "`>` compares with a number or a date; write for example"),
        ("{field: x, operator: '>'}", 32, "`>` compares with a number or a date"),
        ("{field: x, operator: in, value: EU}", 57, "`in` compares with a list; write for example `value: [EU, CH]`"),
        ("{field: x, operator: ==, value: [EU]}", 57, "one text, number or boolean; for several write `in` and a list"),
        ("{field: x, operator: contains, value: 5}", 63, "`contains` compares with a text"),
        ("{field: x, operator: exists, value: 1}", 61, "`exists` compares with `true` or `false`"),
        ("{operator: ==, value: 1}", 32, "`field` is missing; write for example `field: amount`"),
        ("{field: a..b, operator: exists}", 40, "`a..b` is not a field; write names separated by dots"),
        ("{field: x, operator: ==, value: 1, unit: EUR}", 67, "unknown key `unit`. Use one of: field, operator, value"),
        ("{field: x, operator: !=, value: 1}", 53, "put text that starts with ! in quotes"),
        ("amount", 32, "`data_threshold` must be a block of `key: value` lines"),
    ],
)
def test_a_threshold_that_compares_nothing_is_named(threshold: str, column: int, message: str) -> None:
    (found,) = problems(f"{RULE}    trigger: {{data_threshold:  {threshold}}}\n")
    assert found[:2] == (4, column)
    assert message in found[2]


def test_a_bare_angle_is_a_block_of_text_to_yaml_and_the_message_says_so() -> None:
    text = f"{RULE}    trigger:\n      data_threshold:\n        field: x\n        operator: >\n        value: 3\n"
    assert problems(text) == [(7, 19, 'the operator is empty; > must be in quotes: ">"')]


@pytest.mark.parametrize(
    ("hours", "column", "message"),
    [
        ("timezone: America/New_Yorck, monday: disabled", 33, "did you mean `America/New_York`?"),
        ("timezone: Qqqqqq, monday: disabled", 33, "write a name such as `Europe/Berlin` or `UTC`"),
        ("timezone: ../secret, monday: disabled", 33, "unknown time zone `../secret`"),
        ("timezone: America, monday: disabled", 33, "unknown time zone `America`"),
        ("timezone: 5, monday: disabled", 33, "`5` is not a time zone; write a name such as"),
        ("timezone: UTC", 22, 'no day is named; write for example `monday_friday: "09:00-17:00"`'),
        ("monday: 9-17", 31, '`9-17` is not a time range; write "09:00-17:00" or "disabled"'),
        ("monday: 25:00-26:00", 31, "`25:00-26:00` is not a time of day; hours go from 00:00 to 24:00"),
        ("monday: 09:60-10:00", 31, "is not a time of day"),
        ("monday: 09:00-09:00", 31, 'is empty; for the whole day write "00:00-24:00"'),
        ("monday: false", 31, '`false` is not a time range; write "09:00-17:00" or "disabled"'),
        ("mondy: disabled", 23, "unknown key `mondy`; did you mean `monday`?"),
    ],
)
def test_hours_that_cannot_be_read_are_named(hours: str, column: int, message: str) -> None:
    (found,) = problems(f"{RULE}    trigger: {{hours: {{{hours}}}}}\n")
    assert found[:2] == (4, column)
    assert message in found[2]


@pytest.mark.parametrize(
    ("action", "column", "message"),
    [
        ("aks", 13, "unknown action `aks`; did you mean `ask`? Use one of: auto_approve, deny, ask"),
        ("[ask]", 13, "`action` must be a block of `key: value` lines"),
        ("{deny: true, auto_approve: true}", 26, "a rule cannot both deny and auto_approve; keep one of them"),
        ("{deny: true, timeout_seconds: 9}", 26, "`timeout_seconds` is for rules that ask a person; remove it, or"),
        ("{auto_approve: true, approvers: admin}", 34, "`approvers` is for rules that ask a person"),
        (
            "{notify: true}",
            14,
            "`notify` only works with `auto_approve: true`; to tell those who are asked, use `notification`",
        ),
        ("{rollout_percentage: 5}", 14, "`rollout_percentage` only works with `auto_approve: true`"),
        ("{auto_approve: true, notification_channels: x}", 34, "`notification_channels` needs `notify: true`"),
        ("{reason: because}", 14, "`reason` only works with `deny: true`"),
        ("{stages: [{approvers: admin}], require_approval_count: 2}", 44, "remove `require_approval_count`"),
        ("{stages: [{approvers: admin}], approvers: admin}", 44, "each stage has its own `count` and `approvers`"),
        ("{stages: []}", 22, "`stages` is empty; write at least one entry"),
        ("{stages: [{count: 2}]}", 23, "`approvers` is missing; write for example `approvers: [role:approver]`"),
        (
            "{stages: [{approvers: a@x.org, count: 2}]}",
            14,
            "a stage requires 2 approvals, but its `approvers` name only 1",
        ),
        ("{require_approval_count: 0}", 38, "`require_approval_count` must be at least 1"),
        ("{require_approval_count: 21}", 38, "`require_approval_count` must be at most 20"),
        (
            "{require_approval_count: 2, approvers: [a@x.org]}",
            14,
            "2 approvals are required, but `approvers` names only 1",
        ),
        (
            "{approvers: 'team:x'}",
            25,
            "`team:x` is not a person, role or group; write an email, a user id, `role:approver` or",
        ),
        ("{approvers: 'role:boss'}", 25, "unknown role `boss`. Use one of: viewer, member, approver, admin"),
        ("{timeout_seconds: 0}", 31, "`timeout_seconds` must be at least 1"),
        ("{timeout_seconds: 2592001}", 31, "`timeout_seconds` must be at most 2,592,000"),
        ("{timeout_seconds: '60'}", 31, "`timeout_seconds` must be a number, without quotes"),
        ("{timeout_seconds: true}", 31, "`timeout_seconds` must be a number, without quotes"),
        ("{on_timeout: deny}", 14, "`on_timeout` needs a `timeout_seconds`; write for example"),
        ("{timeout_seconds: 9, on_timeout: stop}", 46, "unknown on_timeout `stop`. Use one of: default, deny, cancel"),
        ("{timeout_seconds: 9, on_timeout: escalate}", 34, "`escalate` needs an `escalation` that says whom to tell"),
        ("{remind_before_seconds: 60}", 14, "`remind_before_seconds` needs a `timeout_seconds`"),
        ("{timeout_seconds: 60, remind_before_seconds: 60}", 35, "the reminder must come within the 60 seconds"),
        ("{escalation: {after_seconds: 9}}", 26, "`escalate_to` is missing; write for example"),
        ("{escalation: {escalate_to: a@x.org}}", 26, "`after_seconds` is missing; write for example"),
        (
            "{timeout_seconds: 60, escalation: {after_seconds: 90, escalate_to: a@x.org}}",
            35,
            "the escalation must come within the 60 seconds of the timeout",
        ),
        (
            "{escalation: [{after_seconds: 9, escalate_to: a@x.org}, {after_seconds: 9, escalate_to: b@x.org}]}",
            14,
            "each `after_seconds` of a chain must be larger than the one before it",
        ),
        ("{auto_approve: true, rollout_percentage: 120}", 54, "`rollout_percentage` must be at most 100"),
        ("{auto_approve: true, rollout_percentage: all}", 54, "`rollout_percentage` must be a block"),
        ("{auto_approve: true, rollout_percentage: {start: 9}}", 54, "`target` is missing; write for example `target:"),
        ("{auto_approve: true, rollout_percentage: {target: 9}}", 54, "a growing rollout needs dates; write for"),
        (
            "{auto_approve: true, rollout_percentage: {target: 9, from: 2026-02-30, until: 2026-03-01}}",
            72,
            "`2026-02-30` is not a date; write it like 2026-01-31",
        ),
        (
            "{auto_approve: true, rollout_percentage: {target: 9, from: 2026-03-01, until: 2026-03-01}}",
            84,
            "`until` must be later than `from`",
        ),
        ("{auto_approve: true, rollout_percentage: {start: 9, target: 5}}", 55, "`start` is above `target`"),
    ],
)
def test_an_action_that_contradicts_itself_is_named(action: str, column: int, message: str) -> None:
    (found,) = problems(f"checkpoints:\n  - name: it\n    action: {action}\n")
    assert found[:2] == (3, column)
    assert message in found[2]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("rules: []", 1, 1, "unknown key `rules`. Use one of: version, checkpoints, auto_approval"),
        ("just text", 1, 1, "the file must be a block of `key: value` lines"),
        ("version: 2", 1, 10, '`2` is not supported; write `version: "1.0"`'),
        ("checkpoints: {name: it}", 1, 14, "this must be a list: start each entry with `- `"),
        ("checkpoints:\n  - ask", 2, 5, "an entry of `checkpoints` must be a block of `key: value` lines"),
        ("checkpoints:\n  - action: ask", 2, 5, '`name` is missing; write for example `name: "Large refunds"`'),
        ("checkpoints:\n  - name: it", 2, 5, "`action` is missing; write for example `action: ask`"),
        ("checkpoints:\n  - {name: '', action: ask}", 2, 12, "`name` must not be empty"),
        (RULE + RULE[13:], 4, 11, 'the name "it" is already used in line 2; give each rule its own'),
        (RULE + AUTO, 6, 13, 'the name "it" is already used in line 2'),
        (AUTO[:-36], 3, 7, "`conditions` is missing; write for example `conditions: {risk_level: low}`"),
        (AUTO + "      action: ask\n", 5, 7, "an auto-approval rule says `auto_approve: true`; to switch it off write"),
        (
            "auto_approval: {global_settings: {business_hours_only: true}}",
            1,
            35,
            '`business_hours` is missing; write it with `monday_friday: "09:00-17:00"`',
        ),
    ],
)
def test_a_file_of_the_wrong_shape_is_named(text: str, line: int, column: int, message: str) -> None:
    (found,) = problems(text)
    assert found[:2] == (line, column)
    assert message in found[2]


@pytest.fixture(params=["in C", "in Python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every platform has the parser in C; people read the same words with either."""
    if request.param == "in Python":
        monkeypatch.setattr(positions, "PARSER", yaml.BaseLoader)


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("checkpoints:\n\t- name: it\n", 2, 1, "there is a tab here; indent with spaces only"),
        ("checkpoints:\n  - name: it\n\taction: ask\n", 3, 1, "there is a tab here; indent with spaces only"),
        ("checkpoints:\n  - name: it\n   action: ask\n", 3, 4, "this line is not aligned; indent it exactly like the"),
        (
            "checkpoints:\n  - name: it\n      action: ask\n",
            3,
            13,
            "this line is not aligned, or the line above lacks",
        ),
        ("checkpoints\n  - name: it\n", 2, 9, "this line is not aligned, or the line above lacks its colon"),
        (
            "checkpoints:\n  - name: Refunds: large\n",
            2,
            18,
            "there is a second colon on this line; put the text in quotes",
        ),
        ("checkpoints: - name: it\n", 1, 14, "a list starts on a line of its own: write `- …` below the key"),
        ("version: '1.0\n", 1, 10, "this quote is never closed"),
        ("version: [1.0\n", 1, 10, "this bracket is not closed where it should be; add the ] or a comma"),
        ("version: {a: 1\n", 1, 10, "this bracket is not closed where it should be; add the } or a comma"),
        ("version: @1\n", 1, 10, "a value cannot start with @; put it in quotes"),
        ("version: >= 1\n", 1, 10, 'a value that starts with > must be in quotes: ">= 1"'),
        ("version: *\n", 1, 10, 'a value that starts with * must be in quotes: "*"'),
        ("version: }\n", 1, 10, "a value is missing here; put brackets and commas that are text in quotes"),
        ('version: "\\q"\n', 1, None, "a backslash in double quotes must be doubled; or use single quotes"),
        ("version: 1\n---\nversion: 1\n", 2, 1, "a second document starts here; remove the `---`"),
        ("? [a]\n: 1\n", 1, 3, "a key must be one word of text"),
        ("%YAML 3.0\n---\n", 1, 1, "this is not valid YAML; look for a missing colon, quote or bracket"),
        ("version: 1\x00\n", 1, 11, "the character U+0000 is not allowed; remove it"),
        ("a: &x [1]\nb: *x\n", 1, 4, "anchors such as `&x` are not supported; write the value out"),
        ("a: !!python/object:os.system x\n", 1, 4, "tags such as `!!python/object:os.system` are not supported"),
        ("[" * 5000, 1, 65, "this is nested deeper than 64 levels"),
    ],
)
def test_broken_yaml_is_told_in_plain_words(text: str, line: int, column: int | None, message: str) -> None:
    (found,) = problems(text)
    assert found[0] == line
    assert column in (found[1], None)
    assert message in found[2]


def test_all_mistakes_are_named_at_once_in_the_order_of_the_text() -> None:
    text = """\
checkpoints:
  - name: one
    priority: first
    action: aks
auto_approval:
  enabled: maybe
"""
    assert [(line, column) for line, column, _ in problems(text)] == [(3, 15), (4, 13), (6, 12)]


def test_a_text_that_is_too_long_is_refused_and_one_that_just_fits_is_read() -> None:
    assert problems("#" * MOST_BYTES_IN) == []
    assert problems("#" * (MOST_BYTES_IN + 1))[0][2].startswith("the rules are longer than 262,144 bytes")


@pytest.mark.parametrize(
    "text",
    ["checkpoints: [" + "1," * 100_000 + "]", "{" + ",".join(f"k{number}: 1" for number in range(15_000)) + "}"],
    ids=["list", "keys"],
)
def test_a_text_with_too_many_values_is_refused_before_it_is_looked_through(text: str) -> None:
    [(_, _, message)] = problems(text)
    assert message.startswith("the rules hold more than 20,000 keys and values")


def test_rules_that_are_in_force_are_read_however_long_they_are() -> None:
    text = "checkpoints:\n" + "".join(f"  - {{name: rule {n}, action: ask}}\n" for n in range(9_000))
    assert problems(text)[0][2].startswith("the rules")
    assert len(read_rules(text, stored=True).checkpoints) == 9_000


def test_of_two_thousand_names_that_stand_twice_a_hundred_are_told() -> None:
    text = "checkpoints:\n" + "".join("  - {name: a, action: ask}\n" for _ in range(2_000))
    assert len(problems(text)) == 100


def test_a_thousand_mistakes_are_cut_to_the_first_hundred() -> None:
    assert len(problems("".join(f"key{number}: 1\n" for number in range(1000)))) == 100


@pytest.mark.parametrize("word", ["no", "off", "1_000", "0x10", "2026-01-31", "12:30", ".nan", "=", "<<"])
def test_a_bare_word_is_the_text_that_it_looks_like(word: str) -> None:
    text = one_rule(f"{{custom_field: {{field: x, operator: ==, value: {word}}}}}")
    assert isinstance(judge(text, a_call(arguments={"x": word})), AskFirst)
