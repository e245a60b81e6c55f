from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from signoff.cli.terminal.sse import ServerEvent, parse

STREAM = ': hello\n\nid: 1\nevent: x\ndata: {"a": 1}\n\nid: 2\r\ndata: one\r\ndata: two\r\n\r\nretry: 5\ndata:bare\n\n'
EVENTS = [ServerEvent("1", '{"a": 1}'), ServerEvent("2", "one\ntwo"), ServerEvent("2", "bare")]


def test_events_are_read_with_their_position():
    assert list(parse([STREAM.encode()])) == EVENTS


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
def test_it_does_not_matter_how_the_stream_is_cut(cuts: list[int]):
    places = [0, *sorted(cuts), len(STREAM)]
    chunks = [STREAM.encode()[a:b] for a, b in pairwise(places)]
    assert list(parse(chunks)) == EVENTS


def test_a_character_cut_in_two_stays_whole():
    whole = "data: Grüße ✓\n\n".encode()
    assert list(parse([whole[:9], whole[9:]])) == [ServerEvent("", "Grüße ✓")]


def test_unicode_line_separators_do_not_end_a_line():
    assert list(parse(["data: a\u2028b\x85c\n\n".encode()])) == [ServerEvent("", "a\u2028b\x85c")]


def test_an_unfinished_event_is_dropped():
    assert list(parse([b"id: 1\ndata: whole\n\nid: 2\ndata: half\n"])) == [ServerEvent("1", "whole")]


def test_a_byte_order_mark_and_lone_carriage_returns_are_taken():
    assert list(parse([b"\xef\xbb\xbfdata: a\r\rdata: b\r", b"\r", b"\n"])) == [
        ServerEvent("", "a"),
        ServerEvent("", "b"),
    ]
