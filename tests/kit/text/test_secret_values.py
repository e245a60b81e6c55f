import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from signoff.kit.text.secret_values import HIDDEN, without_secrets, without_secrets_inside

TOKEN = "4711:AAH-half-of-it-is-enough"
ODD = 'tok"en\\&<sEcReT-123456\n/ö😀+%41 é'
KEY_LINES = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC+Kc/ggSjAgEAAoIBAQ", "C7VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6"]
PEM = "\n".join(["-----BEGIN PRIVATE KEY-----", *KEY_LINES, "-----END PRIVATE KEY-----", ""])


def _json(text: str) -> str:
    return json.dumps(text)


def _json_as_it_is(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json_of_php(text: str) -> str:
    return json.dumps(text).replace("/", "\\/")


def _json_for_pages(text: str) -> str:
    """As Go and .NET write it, the one in small and the other in large letters."""
    small = json.dumps(text).replace("<", "\\u003c").replace(">", "\\u003E").replace("&", "\\u0026")
    return small.replace("\\u00f6", "\\u00F6")


def _entities(text: str) -> str:
    return html.escape(text).encode("ascii", "xmlcharrefreplace").decode()


def _address(text: str) -> str:
    return quote(text, safe="")


def _address_in_small_letters(text: str) -> str:
    return "".join(each.lower() if len(each) == 3 else each for each in map(_address, text))


ESCAPES = [_json, _json_as_it_is, _json_of_php, _json_for_pages, html.escape, _entities]
ESCAPES += [quote, _address, _address_in_small_letters, quote_plus]
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters=HIDDEN)
ODD_LETTERS = st.sampled_from("\"\\'&<>/%+ \n\r\tnu04;aöß€😀\x00\x1f")
TEXTS = st.text(st.one_of(ODD_LETTERS, LETTERS), max_size=10)
SECRETS = st.text(st.one_of(ODD_LETTERS, LETTERS), min_size=6, max_size=30)


@pytest.mark.parametrize("said", [TOKEN, TOKEN.partition(":")[2], TOKEN.replace(":", "%3A"), TOKEN[:-3]])
def test_a_token_behind_a_name_is_hidden_whole_in_half_and_cut(said: str) -> None:
    assert without_secrets([TOKEN], f"no bot {said}") == f"no bot {HIDDEN}"


@given(
    secret=SECRETS,
    around=st.tuples(TEXTS, TEXTS),
    escapes=st.one_of(
        st.lists(st.sampled_from(ESCAPES), max_size=2),
        st.lists(st.sampled_from([_json, _json_as_it_is]), min_size=3, max_size=3),
    ),
)
@example(ODD, ("", ""), [_json])
@example(ODD, ("", ""), [_json_for_pages])
@example(ODD, ("Bearer ", "\\"), [_json, _json])
@example(ODD, ("?a=", "&b"), [quote_plus, html.escape])
def test_however_it_is_escaped_nothing_of_a_secret_is_left_but_what_stood_around_it(
    secret: str, around: tuple[str, str], escapes: list[Callable[[str], str]]
) -> None:
    text, form = around[0] + secret + around[1], secret
    for escape in escapes:
        # JSON has quotes around it.
        text, form = escape(text), escape(form)[1:-1] if escape("") else escape(form)
    masked = without_secrets([secret], text)
    assert HIDDEN in masked
    assert form not in masked
    assert secret not in masked


@pytest.mark.parametrize("before", ["", "u", "us", "user:", "用户"])
@pytest.mark.parametrize("secret", [ODD, "pass-w", "p?>ss~w>?rd"])
@pytest.mark.parametrize("coded", [base64.b64encode, base64.urlsafe_b64encode])
def test_a_secret_in_base64_is_hidden_wherever_it_begins(
    before: str, secret: str, coded: Callable[[bytes], bytes]
) -> None:
    for behind in ("", ": and more"):
        masked = without_secrets([secret], f"Basic {coded(f'{before}{secret}{behind}'.encode()).decode()}")
        # Characters that begin or end in what stands around it may stay.
        assert len(masked.removeprefix("Basic ").replace(HIDDEN, "")) <= len(coded(f"{before}{behind}".encode())) + 4


@pytest.mark.parametrize("escape", [str, *ESCAPES])
def test_a_secret_that_was_cut_is_hidden_as_far_as_it_goes(escape: Callable[[str], str]) -> None:
    said = escape(f"It was {ODD}")
    begin = len(escape("It was ").rstrip('"'))
    for end in range(len(escape(f"It was {ODD[:6]}")), len(said)):
        masked = without_secrets([ODD], said[:end])
        assert masked.startswith(said[:begin] + HIDDEN), said[:end]


@pytest.mark.parametrize("escape", [str, _json, _json_of_php, html.escape, quote])
def test_each_long_line_of_a_key_is_a_secret_of_its_own(escape: Callable[[str], str]) -> None:
    for told in (PEM, PEM.replace("\n", "\r\n"), PEM.replace("\n", " "), KEY_LINES[1], f"> {KEY_LINES[0]}\n> and"):
        for secret in (PEM, json.dumps({"type": "service_account", "private_key": PEM})):
            masked = without_secrets([secret], escape(told))
            assert not [line for line in KEY_LINES if line[:20] in masked or line[-20:] in masked]
    # Every key has these.
    certificate = "-----END CERTIFICATE-----"
    assert without_secrets([PEM.replace("PRIVATE KEY", "CERTIFICATE")], certificate) == certificate


@pytest.mark.parametrize("stored", [f"{TOKEN}\n", quote(ODD)])
def test_a_secret_is_hidden_as_it_reads(stored: str) -> None:
    told = {"headers": [{TOKEN: f"It was {ODD} and {TOKEN}."}]}
    assert without_secrets_inside([stored], told) != told
    assert TOKEN not in without_secrets([f"{TOKEN}\n"], str(told))


@given(secret=SECRETS)
@example("postgres://[half")
def test_a_text_without_the_secret_stays_as_it_is(secret: str) -> None:
    text = 'Nothing "here" \\ is & was % hidden + \\u00e9 &amp; %20. <0>'
    if not set(secret) <= set(text):
        assert without_secrets([secret], text) == text
