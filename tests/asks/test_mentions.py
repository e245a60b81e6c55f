"""Whom a comment names."""

import pytest

from signoff.asks.comments.mentions import beginning, by_name, mentioned

ANN, ANNA, BOB = "ann@example.org", "anna@example.org", "bob.b@example.org"
MEMBERS = [(ANN, "Ann Lee"), (ANNA, "Anna"), (BOB, "Bob")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"@{ANN} look", [ANN]),
        ("@ann lee, look", [ANN]),
        ("@Ann: look", [ANN]),
        ("@anna.", [ANNA]),
        ("(@bob.b) and @ANN@EXAMPLE.ORG", [BOB, ANN]),
        ("@ann @ann", [ANN]),
        ("hello ann", []),
        ("@annabel", []),
        ("@ann@elsewhere.org", []),
        (f"mail{'@'}ann", []),
        ("@", []),
    ],
)
def test_a_member_is_named_by_e_mail_or_by_name(text: str, found: list[str]) -> None:
    assert mentioned(text, MEMBERS) == found


def test_a_name_that_two_share_is_nobodys() -> None:
    both = [(ANN, "Sam"), (BOB, "Sam")]
    assert mentioned("@sam", both) == []
    assert mentioned(f"@{BOB}", both) == [BOB]


def test_nobody_takes_anothers_address_by_calling_themselves_so() -> None:
    assert mentioned(f"@{ANN}", [(ANN, "Ann"), (BOB, ANN)]) == [ANN]


def test_whom_a_text_names_by_an_address_is_read_by_name() -> None:
    people = [(ANN, "Ann Lee"), (BOB, "")]
    text = f"@{ANN.upper()}, @{BOB} and @x@elsewhere.org: mail@{ANN} or @{ANN}."
    assert by_name(text, people) == f"@Ann Lee, @{BOB} and @x@elsewhere.org: mail@{ANN} or @Ann Lee."


def test_a_notice_has_the_beginning_of_a_long_text_in_one_line() -> None:
    assert beginning("Is this\n  right?") == "Is this right?"
    assert beginning("a" * 900) == "a" * 200 + "…"
