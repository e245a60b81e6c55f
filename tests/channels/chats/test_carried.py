"""What a button carries comes back as it was, fits into every chat, and what was made up is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.channels.chats.carried import APPROVE, CHOOSE, UnknownButton, packed, unpacked
from signoff.kit.ids import new_id

DIGESTS = st.one_of(st.none(), st.binary(min_size=32, max_size=32).map(bytes.hex))
# Telegram's bound, the narrowest.
ROOM = 64


@given(DIGESTS, st.sampled_from(["a", "d", "r"]))
def test_it_comes_back_as_it_was(digest: str | None, action: str) -> None:
    delivery_id = new_id()
    text = packed(delivery_id, action, digest)
    assert len(text.encode()) <= ROOM
    carried = unpacked(text)
    assert (carried.delivery_id, carried.action, carried.number) == (delivery_id, action, None)
    assert carried.fits(digest)


def test_a_choice_has_its_number() -> None:
    carried = unpacked(packed(new_id(), CHOOSE, "ab" * 32, 7))
    assert (carried.decision, carried.number) == ("respond", 7)


def test_it_fits_no_other_digest() -> None:
    carried = unpacked(packed(new_id(), APPROVE, "ab" * 32))
    assert not carried.fits("ac" * 32)
    assert not carried.fits("ab" * 15 + "ac" + "ab" * 16)
    assert not carried.fits(None)


@given(st.text(max_size=80))
def test_what_was_made_up_is_refused(text: str) -> None:
    with pytest.raises(UnknownButton):
        unpacked(text)


@pytest.mark.parametrize("what", ["", "x", "a1", "c", "c-1", "c1000", "cc", "c²"])
def test_what_says_something_else_is_refused(what: str) -> None:
    rest = packed(new_id(), APPROVE, "ab" * 32).partition(".")[2]
    with pytest.raises(UnknownButton):
        unpacked(f"{what}.{rest}")
