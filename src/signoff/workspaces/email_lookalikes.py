"""Addresses that could pass for another: refused before somebody signs with one."""

import unicodedata

# Scripts that are written together in one word.
_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO"}, {"CJK", "HANGUL"})
_BETWEEN = str.maketrans(dict.fromkeys("@.+-_'!#$%&*/=?^`{|}~", " "))


def problem_with(email: str) -> str | None:
    """Why nobody should have this address here, or None."""
    if unicodedata.normalize("NFKC", email) != email:
        return "it has characters that look like other letters; use plain letters"
    if any(unicodedata.category(each) in ("Cf", "Cc", "Co", "Cn", "Zs", "Mn", "Me") for each in email):
        return "it has invisible characters"
    for word in email.translate(_BETWEEN).split():
        scripts = {unicodedata.name(each, "?").split()[0] for each in word if each.isalpha()}
        if len(scripts) > 1 and not any(scripts <= pair for pair in _TOGETHER):
            return f"{word!r} mixes the letters of {' and '.join(sorted(each.title() for each in scripts))}"
    return None
