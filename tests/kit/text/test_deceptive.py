"""Text that could show something else than what it is; the same in the terminal and on the pages."""

import re
from pathlib import Path

import pytest

from signoff.kit.text import deceptive, lookalikes
from signoff.kit.text.deceptive import visible, warning_about, without_hidden

TYPESCRIPT = Path(__file__).parents[3] / "web/src/ui/text/deceptiveText.ts"


@pytest.mark.parametrize("name", ["HIDDEN", "EMOJI", "LOOKS_LIKE", "OTHER_SCRIPTS", "NO_MORE_WARNINGS"])
def test_the_pages_know_the_same_letters(name: str) -> None:
    found = re.search(rf'export const {name} =((?:[\s+]*"[^"]*")+);', TYPESCRIPT.read_text())
    assert found is not None
    assert "".join(re.findall(r'"([^"]*)"', found[1])) == getattr(
        lookalikes if hasattr(lookalikes, name) else deceptive, name
    )


def test_the_pages_stop_to_warn_at_the_same_number() -> None:
    assert f"export const MOST_WARNINGS = {deceptive.MOST_WARNINGS};" in TYPESCRIPT.read_text()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("inv\u202etxt.exe", "inv\\u202etxt.exe"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("tag\U000e0041 \ue000 \u2800", "tag\\U000e0041 \\ue000 \\u2800"),
        ("a\ufe0f a\u200db", "a\\ufe0f a\\u200db"),
        ("a" + "\n" * 300 + "b", "a\n[299 empty lines]\nb"),
        (" \n" * 5 + "b", "[5 empty lines]\nb"),
        ("a" + " " * 60 + "b", "a [60 spaces] b"),
        ("two\r\nlines\n\nand\ttabs", "two\r\nlines\n\nand\ttabs"),
        ("👩‍👩‍👧 ❤️ 1️⃣ 🏳️‍🌈 Grüße 日本語", "👩‍👩‍👧 ❤️ 1️⃣ 🏳️‍🌈 Grüße 日本語"),
    ],
)
def test_what_cannot_be_seen_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("address", "warning"),
    [
        (
            "\u0430\u0440\u0440\u04cf\u0435.com",
            "looks like apple.com but is not: \\u0430\\u0440\\u0440\\u04cf\\u0435.com",
        ),
        ("billing@\u0430cme.example", "looks like billing@acme.example but is not: billing@\\u0430cme.example"),
        ("apple.com\u2215evil.com", "looks like apple.com/evil.com but is not: apple.com\\u2215evil.com"),
        ("goo\u0434le.com", "mixed letters: goo\\u0434le.com"),
        ("xn--mller-kva.de", "in other letters, it reads müller.de"),
        ("müller.de", None),
        ("пример.рф", None),
        ("отчёт_final.pdf", None),
        ("例え.jp", None),
        ("example.com", None),
    ],
)
def test_an_address_that_looks_like_another_is_marked(address: str, warning: str | None) -> None:
    assert warning_about(address) == warning


def test_a_warning_stands_after_the_whole_address() -> None:
    shown = visible("Pay at https://p\u0430ypal.com/x?y=1 now")
    assert shown == ("Pay at https://p\u0430ypal.com/x?y=1 [looks like paypal.com but is not: p\\u0430ypal.com]  now")


def test_addresses_without_a_gap_share_one_end() -> None:
    shown = visible("p\u0430ypal.com,\u0430pple.com/x g\u043eogle.com")
    assert re.sub(r" but is not: [^]]*", "", shown) == (
        "p\u0430ypal.com,\u0430pple.com/x [looks like paypal.com]  [looks like apple.com]  "
        "g\u043eogle.com [looks like google.com] "
    )


@pytest.mark.parametrize("between", [",", " ", "\u200b"])
def test_of_many_addresses_that_look_like_others_fifty_are_marked(between: str) -> None:
    # To look for the end of the text after each of them takes minutes.
    shown = visible(f"\u0430pple.com{between}" * 80_000)
    assert shown.count("[looks like") == deceptive.MOST_WARNINGS
    assert shown.count(f"[{deceptive.NO_MORE_WARNINGS}]") == 1
    assert shown.count("\u0430pple.com") == 80_000


def test_a_file_name_keeps_what_can_be_seen() -> None:
    assert without_hidden("inv\u202etxt.exe", "_") == "inv_txt.exe"
    assert without_hidden("❤️ report.pdf", "_") == "❤️ report.pdf"
