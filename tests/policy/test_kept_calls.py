"""A proposed call is kept with all that policy looks at, and read back as it was."""

from hypothesis import given
from hypothesis import strategies as st

from signoff.kit import jsons
from signoff.policy.call import ProposedCall
from signoff.policy.impact import Impact, ImpactKind
from signoff.policy.risk import Assessment, Risk

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(st.text(), values, max_size=4)
numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)
impacts = st.none() | st.builds(
    Impact,
    st.lists(st.sampled_from(ImpactKind), unique=True).map(tuple),
    st.text(),
    st.booleans(),
    st.none() | st.booleans(),
)
calls = st.builds(
    ProposedCall,
    tool=st.text(),
    assessment=st.builds(Assessment, st.sampled_from(Risk), st.lists(st.text(), max_size=3).map(tuple), impacts),
    is_control=st.booleans(),
    operation_type=st.text(),
    arguments=objects,
    confidence=numbers,
    cost=numbers,
    agent=st.none() | st.text(),
    workflow=st.none() | st.text(),
    scope=st.text(),
    fields=objects,
    schema=st.none() | objects,
)


@given(calls)
def test_a_call_comes_back_as_it_was_kept(call: ProposedCall) -> None:
    kept = jsons.loads(jsons.dumps(call.to_json()))
    assert ProposedCall.from_json(kept, call.arguments, call.schema) == call


def test_what_is_left_empty_takes_no_space() -> None:
    call = ProposedCall("pay", Assessment(Risk.HIGH, ()), cost=0.0)
    assert call.to_json() == {"tool": "pay", "assessment": {"level": "high", "reasons": []}, "cost": 0.0}


def test_a_kept_call_with_other_arguments_is_another_call_of_the_same_run() -> None:
    call = ProposedCall("pay", Assessment(Risk.HIGH, ()), arguments={"to": "ann"}, scope="run")
    edited = ProposedCall.from_json(call.to_json(), {"to": "bob"}, None)
    assert edited.scope == "run"
    assert edited.key != call.key
