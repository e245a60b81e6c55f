"""Text fields that come from outside, bounded and clean."""

from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from signoff.kit.jsons import clean_text

_clean = AfterValidator(clean_text)

Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), _clean]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), _clean]
LongText = Annotated[str, StringConstraints(max_length=1_000_000), _clean]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$", max_length=100)]
