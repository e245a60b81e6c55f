"""What does not fit a field is said in words for people, in each answer of the API."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from signoff.kit.text.field_words import field_words


class Server(BaseModel):
    model_config = ConfigDict(extra="forbid")

    host: str = Field(max_length=10)
    port: int = Field(default=25, ge=1, le=65_535)
    security: Literal["tls", "none"] = "tls"

    @field_validator("host")
    @classmethod
    def is_a_name(cls, host: str) -> str:
        if "/" in host:
            raise ValueError("must be a name such as mail.example.org")
        return host


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "is missing"),
        ({"host": 5}, "must be text"),
        ({"host": "x" * 11}, "is too long; at most 10 characters"),
        ({"host": "a", "port": 99_999}, "must be at most 65,535"),
        ({"host": "a", "port": "many"}, "must be a whole number"),
        ({"host": "a", "security": "ssl"}, "must be 'tls' or 'none'"),
        ({"host": "a", "hots": "b"}, "is not known here"),
        ({"host": "a/b"}, "must be a name such as mail.example.org"),
    ],
)
def test_each_mistake_is_said_in_plain_words(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as wrong:
        Server.model_validate(given)
    assert [field_words(each) for each in wrong.value.errors()] == [said]
