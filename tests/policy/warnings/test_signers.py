"""A rule that nobody can satisfy says so, where it stands."""

import pytest

from signoff.kit.actor import Role
from signoff.policy.warnings.find import find_warnings
from signoff.policy.warnings.signers import People, Person

ANN = Person("ann@acme.com", "u1", Role.ADMIN, name="Ann")
BOB = Person("bob@acme.com", "u2", Role.APPROVER, name="Bob")
CAT = Person("cat@acme.com", "u3", Role.MEMBER, name="Cat")
VIC = Person("vic@acme.com", "u4", Role.VIEWER)
NEW = Person("new@acme.com", "u5", Role.ADMIN, accepted=False)
TOKEN = Person("signoff-token@localhost", "u6", Role.ADMIN, is_token=True)
GROUPS = {"finance": {"u2", "u3"}, "empty": set[str](), "lookers": {"u4"}}
ALL = People([ANN, BOB, CAT, VIC, NEW, TOKEN], GROUPS)
ALONE = People([ANN, TOKEN], {})


def warned(action: str, people: People = ALL, trigger: str = "{}") -> list[str]:
    text = f"checkpoints:\n  - name: x\n    trigger: {trigger}\n    action: {action}\n"
    return [each.message for each in find_warnings(text, people)]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("{approvers: nobody@acme.com}", "`nobody@acme.com` is not a member"),
        ("{approvers: bob@acme.con}", "did you mean `bob@acme.com`?"),
        ("{approvers: [u9]}", "`u9` is not a member"),
        ("{approvers: vic@acme.com}", "`vic@acme.com` is only a viewer"),
        ("{approvers: new@acme.com}", "`new@acme.com` has not accepted the invitation yet"),
        ("{approvers: group:finanse}", "there is no group `finanse`; did you mean `finance`?"),
        ("{approvers: group:empty}", "nobody in the group `empty` can sign"),
        ("{approvers: group:lookers}", "nobody in the group `lookers` can sign"),
        ("{require_approval_count: 3}", "needs 3 signatures, but only Ann and Bob can sign"),
        (
            "{require_approval_count: 3, approvers: group:finance}",
            "3 signatures, but only Bob and Cat",
        ),
        ("{four_eyes: true, approvers: [ann@acme.com]}", "only Ann can sign, so not what that person started"),
        ("{stages: [{approvers: [cat@acme.com, role:admin], count: 3}]}", "stage 1 needs 3 signatures, but only Ann"),
        (
            "{stages: [{name: boss, approvers: [ann@acme.com], count: 1}, {approvers: ann@acme.com}]}",
            "2 different people",
        ),
        ("{escalation: {after_seconds: 60, escalate_to: [group:gone]}}", "there is no group `gone`"),
    ],
)
def test_what_nobody_can_sign_is_said(action: str, message: str):
    assert any(message in each for each in warned(action)), warned(action)


@pytest.mark.parametrize(
    "action",
    [
        "ask",
        "deny",
        "auto_approve",
        "{require_approval_count: 2}",
        "{require_approval_count: 2, approvers: [group:finance]}",
        "{approvers: [ANN@acme.com, u2, role:approver]}",
        "{four_eyes: true}",
        "{stages: [{approvers: [ann@acme.com, bob@acme.com]}, {approvers: ann@acme.com}]}",
        "{escalation: {after_seconds: 60, escalate_to: someone@elsewhere.com}}",
        "{require_approval_count: 3, escalation: {after_seconds: 60, escalate_to: cat@acme.com}}",
    ],
)
def test_what_can_be_signed_is_not_warned_of(action: str):
    assert warned(action) == []


def test_the_servers_own_token_is_one_signer_alone_and_none_of_several():
    assert warned("{approvers: signoff-token@localhost}", ALONE) == []
    assert warned("{require_approval_count: 2}", ALONE) == [
        "this needs 2 signatures, but only Ann can sign",
    ]
    assert len(warned("{four_eyes: true}", ALONE)) == 1


def test_two_of_one_name_go_by_their_addresses():
    twins = People([Person(f"{each}@acme.com", each, Role.APPROVER, name="Ann") for each in ("a", "b")], {})
    assert warned("{require_approval_count: 3}", twins) == [
        "this needs 3 signatures, but only a@acme.com and b@acme.com can sign",
    ]


def test_a_question_may_be_answered_by_any_member():
    nobody_approves = People([CAT], {})
    assert warned("ask", nobody_approves, "{ask_kind: question}") == []
    assert warned("ask", nobody_approves) == ["this needs a signature, but nobody here can sign"]


def test_a_rule_that_is_switched_off_is_not_looked_at():
    text = "checkpoints:\n  - {name: x, enabled: false, action: {approvers: nobody@acme.com}}\n"
    assert find_warnings(text, ALL) == []


def test_a_warning_points_at_what_is_meant():
    text = "checkpoints:\n  - name: x\n    action:\n      approvers: [bob@acme.com, gone@acme.com]\n"
    text += "      require_approval_count: 2\n"
    assert [(each.line, each.column) for each in find_warnings(text, ALL)] == [(4, 33), (5, 31)]
