"""Whatever a file is called, its name becomes one that is safe everywhere."""

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.files.names import MOST_BYTES, clean_name, look, unique_name
from signoff.kit.text.deceptive import without_hidden

TRICKS = '/\\.\x00\n\r\u202e\u200b\uff0f\uff0e\u2215\u2044:*?"<>| ~%aA0-_()\u0430é\ud800'
NAMES = st.one_of(st.text(max_size=300), st.text(alphabet=TRICKS, max_size=40))


@given(NAMES)
def test_a_clean_name_is_one_plain_step_of_a_path(name: str) -> None:
    cleaned = clean_name(name)
    assert cleaned.strip(" .")
    assert len(cleaned.encode()) <= MOST_BYTES
    assert PurePosixPath(cleaned).parts == (cleaned,)
    assert PureWindowsPath(cleaned).parts == (cleaned,)
    assert not PureWindowsPath(cleaned).is_reserved()
    assert not cleaned.startswith(".")
    assert not cleaned.endswith((".", " "))
    assert without_hidden(cleaned) == cleaned
    assert not any(unicodedata.category(each) in ("Cc", "Cs") for each in cleaned)


@given(NAMES)
def test_a_clean_name_stays_as_it_is(name: str) -> None:
    assert clean_name(clean_name(name)) == clean_name(name)


@given(st.lists(NAMES, max_size=12))
def test_names_that_look_the_same_are_kept_apart(names: list[str]) -> None:
    taken = list[str]()
    for name in names:
        taken.append(unique_name(clean_name(name), taken))
    assert len({look(each) for each in taken}) == len(taken)
    assert all(len(each.encode()) <= MOST_BYTES for each in taken)


@pytest.mark.parametrize(
    ("name", "taken"), [("report.csv", "REPORT.csv"), ("report.csv", "r\u0435port.csv"), ("a.csv", "\uff41.csv")]
)
def test_a_look_alike_gets_a_number(name: str, taken: str) -> None:
    assert unique_name(name, [taken]) == name.replace(".csv", "-2.csv")
