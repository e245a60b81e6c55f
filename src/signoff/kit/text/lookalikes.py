"""Letters of other scripts that look like Latin ones: one list for the terminal, the pages and members' addresses."""

import unicodedata

# Letters and marks that look like a Latin one, or like a mark that ends a name.
LOOKS_LIKE = (
    "430:a 435:e 43e:o 440:p 441:c 443:y 445:x 44c:b 455:s 456:i 458:j 475:v 4af:y 4bb:h 4cf:l 501:d 51b:q 51d:w "
    "405:S 406:I 408:J 410:A 412:B 415:E 41a:K 41c:M 41d:H 41e:O 420:P 421:C 422:T 423:Y 425:X 4c0:I "
    "3b1:a 3b3:y 3b9:i 3ba:k 3bd:v 3bf:o 3c1:p 3c3:o 3c5:u 3c7:x 3f2:c 3f3:j "
    "391:A 392:B 395:E 396:Z 397:H 399:I 39a:K 39c:M 39d:N 39f:O 3a1:P 3a4:T 3a5:Y 3a7:X "
    "570:h 578:n 57d:u 581:g 585:o 131:i 237:j 251:a 261:g 269:i 1d04:c 1d0f:o 1d1c:u 1d20:v 1d21:w 1d22:z "
    "2044:/ 2215:/ 29f8:/ 3002:. ff61:."
)
# Beside Latin letters in one word, letters of these are there to deceive.
OTHER_SCRIPTS = "Arabic Armenian Cherokee Coptic Cyrillic Devanagari Georgian Greek Hebrew Lisu Myanmar Thai"
# In small letters, as addresses are compared, these pass for Latin ones, too; a text that is shown keeps its case.
LOOKS_LIKE_IN_ADDRESS = "432:b 433:r 43a:k 43c:m 43d:h 442:t 3b2:b 3b5:e 3b7:n 3c4:t 3c9:w 28f:y"


def _table(pairs: str) -> dict[int, str]:
    return {int(code, 16): letter for code, letter in (pair.split(":") for pair in pairs.split())}


_LATIN = _table(LOOKS_LIKE)
_IN_ADDRESS = _LATIN | _table(LOOKS_LIKE_IN_ADDRESS)
_OTHERS = tuple(OTHER_SCRIPTS.upper().split())


def latin(text: str) -> str:
    """What a text looks like to somebody who reads Latin letters."""
    return unicodedata.normalize("NFKC", text).translate(_LATIN)


def skeleton(address: str) -> str:
    """The same for all addresses that look the same."""
    return unicodedata.normalize("NFKC", address).casefold().translate(_IN_ADDRESS)


def mixes_scripts(word: str) -> bool:
    names = [unicodedata.name(letter, "") for letter in word if letter.isalpha()]
    return any(name.startswith("LATIN") for name in names) and any(name.startswith(_OTHERS) for name in names)
