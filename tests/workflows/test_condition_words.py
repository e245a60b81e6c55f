"""Somebody who writes a condition wrongly is told where, and what to write, in words of their own."""

import pytest

from signoff.workflows.conditions import problem


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("total >", "Its condition cannot be read: something is missing at its end."),
        ("(total > 1", "Its condition cannot be read: `)` is missing at its end."),
        ("total > ) 1", "Its condition cannot be read: `)` cannot stand at character 9."),
        ("total = 1", "Its condition cannot be read: `=` cannot stand at character 7. Write `==` instead."),
        ("paid and late", "Its condition cannot be read: `and` cannot stand at character 6. Write `&&` instead."),
        ("paid &&\n# late", "Its condition cannot be read: `#` cannot stand at character 1 of line 2."),
        ("customer.", "Its condition cannot be read: `.` cannot stand at character 10."),
        ("customer.?name", "Its condition cannot be read: 1:9: unsupported syntax '.?'"),
        ("'Jo", "Its condition cannot be read: `'Jo` cannot stand at character 1."),
    ],
)
def test_a_condition_that_cannot_be_read_says_where(when: str, said: str) -> None:
    assert problem(when) == said
