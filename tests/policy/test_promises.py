"""What holds for any call and any rules: nothing raises, and caution only ever grows."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from signoff.policy.call import Allowance, ProposedCall
from signoff.policy.compiled import compile_policy
from signoff.policy.evaluate import Allow, AskFirst, Autonomy, Deny, Stance, Verdict, evaluate
from signoff.policy.format.rule_file import RuleFile
from signoff.policy.operators import OPERATORS
from signoff.policy.risk import Assessment, Risk
from tests.policy.trying import AUTO_APPROVAL, CHECKPOINTS, problems

STRICTNESS = {Allow: 0, AskFirst: 1, Deny: 2}
WORDS = ["amount", "to", "items", "price", "0", "*"]
# As JSON has them: what is none never enters.
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | st.sampled_from(["5", "1500", "EU", "2026-01-31"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from(WORDS) | st.text(), json_values, max_size=4)
moments = st.none() | st.datetimes() | st.datetimes(timezones=st.just(UTC))
calls = st.builds(
    ProposedCall,
    tool=st.sampled_from(["read_file", "send_email", "tool"]),
    assessment=st.sampled_from(Risk).map(lambda level: Assessment(level, ())),
    operation_type=st.sampled_from(["", "refund", "read", "send_email"]),
    arguments=objects,
    confidence=st.none() | st.floats(),
    cost=st.none() | st.floats(),
    agent=st.none() | st.just("sales"),
    workflow=st.none() | st.text(),
    scope=st.text(),
    fields=objects,
)
stances = st.builds(
    Stance,
    autonomy=st.sampled_from(Autonomy),
    overrides=st.dictionaries(
        st.just("tool"), st.sampled_from(["safe", "approval_required", "low", "critical", "?"]), max_size=1
    ),
    allowances=st.lists(
        st.builds(Allowance, st.just("id"), st.just("tool"), st.sampled_from(Risk), st.just(lambda: "words")),
        max_size=1,
    ),
)


@st.composite
def thresholds(draw: st.DrawFn) -> dict[str, Any]:
    operator = draw(st.sampled_from(OPERATORS))
    plain = st.integers() | st.booleans() | st.sampled_from(["EU", "5", "2026-01-31"])
    value: Any = draw(st.sampled_from([5, 0.5, "1000", "2026-01-31"]))
    if operator in ("in", "not_in"):
        value = draw(st.lists(plain, min_size=1, max_size=3))
    elif operator in ("contains", "starts_with", "ends_with"):
        value = draw(st.sampled_from(["E", "5"]))
    elif operator == "like":
        value = draw(st.sampled_from(["E/*.md", "**", "https://example.com/**", ["5", "E/*"]]))
    elif operator == "exists":
        value = draw(st.booleans())
    elif operator in ("==", "!="):
        value = draw(plain)
    path = ".".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)))
    return {"field": draw(st.sampled_from(["", "arguments.", "context."])) + path, "operator": operator, "value": value}


triggers = st.fixed_dictionaries(
    {},
    optional={
        "tool": st.sampled_from(["tool", "send_*", ["read_file", "*e*"]]),
        "operation_type": st.sampled_from(["refund", ["read", "send_email"]]),
        "risk_level": st.sampled_from(["low", ["high", "critical"]]),
        "confidence": st.sampled_from(["< 0.75", ">= 0.5"]),
        "cost": st.just("> 5"),
        "custom_field": thresholds(),
        "outside_hours": st.just({"timezone": "America/New_York", "monday_friday": "09:00-17:00"}),
    },
)
actions = st.sampled_from(
    ["ask", "deny", "auto_approve", {"auto_approve": True, "rollout_percentage": 50}, {"require_approval_count": 2}]
)
rules = st.lists(st.tuples(triggers, actions, st.integers(0, 3)), max_size=4)
conditions = st.lists(triggers, max_size=2)


def rule_file(checkpoints: list[Any], approvals: list[Any]) -> RuleFile:
    return RuleFile.model_validate(
        {
            "checkpoints": [
                {"name": f"checkpoint {at}", "trigger": trigger, "action": action, "priority": priority}
                for at, (trigger, action, priority) in enumerate(checkpoints)
            ],
            "auto_approval": {
                "rules": [{"name": f"approval {at}", "conditions": each} for at, each in enumerate(approvals)]
            },
        }
    )


def strictness(verdict: Verdict) -> int:
    assert verdict.reasons
    assert all(isinstance(reason, str) for reason in verdict.reasons)
    return STRICTNESS[type(verdict)]


@given(calls, stances, rules, conditions, moments, st.booleans())
def test_no_call_is_too_strange_to_be_judged(
    call: ProposedCall, stance: Stance, some: list[Any], approvals: list[Any], at: datetime | None, stopped: bool
) -> None:
    assert strictness(evaluate(call, stance, compile_policy(rule_file(some, approvals), stopped=stopped), at)) in (
        0,
        1,
        2,
    )


@given(calls, stances, rules, conditions, moments, triggers, st.sampled_from(["ask", "deny"]), st.integers(-1, 4))
def test_one_more_rule_that_asks_or_denies_never_makes_a_verdict_laxer(
    call: ProposedCall,
    stance: Stance,
    some: list[Any],
    approvals: list[Any],
    at: datetime | None,
    trigger: Any,
    action: str,
    priority: int,
) -> None:
    before = evaluate(call, stance, compile_policy(rule_file(some, approvals)), at)
    after = evaluate(call, stance, compile_policy(rule_file([*some, (trigger, action, priority)], approvals)), at)
    assert strictness(after) >= strictness(before)


@given(calls, stances, rules, conditions, moments)
def test_the_emergency_stop_never_makes_a_verdict_laxer(
    call: ProposedCall, stance: Stance, some: list[Any], approvals: list[Any], at: datetime | None
) -> None:
    read = rule_file(some, approvals)
    before, after = (evaluate(call, stance, compile_policy(read, stopped=stopped), at) for stopped in (False, True))
    assert strictness(after) >= strictness(before)


@given(calls, rules, moments)
def test_no_rule_that_matches_is_overlooked_and_their_order_stays(
    call: ProposedCall, some: list[Any], at: datetime | None
) -> None:
    index = compile_policy(rule_file(some, [])).checkpoints
    assert [rule for rule in index.near(call) if rule.holds(call, at)] == [
        rule for rule in index if rule.holds(call, at)
    ]


@given(calls, stances, rules, moments)
def test_a_denial_is_found_again_just_before_the_call_runs(
    call: ProposedCall, stance: Stance, some: list[Any], at: datetime | None
) -> None:
    policy = compile_policy(rule_file(some, []))
    denied = isinstance(evaluate(call, Stance(stance.autonomy), policy, at), Deny)
    assert (policy.denial(call, at) is not None) is denied


@given(calls, stances, st.integers(0, 100), st.integers(0, 3000))
def test_a_rollout_by_date_never_takes_a_call_back(call: ProposedCall, stance: Stance, target: int, hours: int) -> None:
    ramp = {"start": 0, "target": target, "from": "2026-01-01", "until": "2026-03-01"}
    policy = compile_policy(rule_file([({}, {"auto_approve": True, "rollout_percentage": ramp}, 1)], []))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    earlier, later = (policy.ruling(call, at + timedelta(hours=passed)) for passed in (hours, hours + 24))
    assert later is not None or earlier is None


DOCUMENT = CHECKPOINTS + AUTO_APPROVAL
pieces = st.text(max_size=5) | st.sampled_from(
    ["\t", ": ", "- ", "[", "}", "'", "\n", "  ", "&a ", "*a", "!x ", "> ", "~"]
)


def named(text: str) -> list[tuple[int, int, str]]:
    """The problems of a text, which must be in order."""
    found = problems(text)
    assert found == sorted(found)
    return found


@settings(deadline=None)
@given(st.integers(0, len(DOCUMENT)), st.integers(0, 20), pieces)
def test_a_text_with_any_slip_is_read_or_its_problems_are_named(at: int, gone: int, slip: str) -> None:
    text = DOCUMENT[:at] + slip + DOCUMENT[at + gone :]
    last = len(text.splitlines()) + 1
    assert all(1 <= line <= last and column >= 1 and message for line, column, message in named(text))


@settings(deadline=None)
@given(st.text() | json_values.map(str))
def test_any_text_at_all_is_read_or_its_problems_are_named(text: str) -> None:
    assert all(message for _, _, message in named(text))
