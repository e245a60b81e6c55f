"""What does not fit a field, in words for people instead of the library's."""

from pydantic_core import ErrorDetails

WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "must be text",
    "string_too_short": "is too short; at least {min_length} characters",
    "string_too_long": "is too long; at most {max_length} characters",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "greater_than": "must be more than {gt:,.12g}",
    "greater_than_equal": "must be at least {ge:,.12g}",
    "less_than": "must be less than {lt:,.12g}",
    "less_than_equal": "must be at most {le:,.12g}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "json_invalid": "is no JSON: {error}",
}
OWN = "Value error, "


def field_words(found: ErrorDetails) -> str:
    """What one error of pydantic says; what our own checks said stays as they said it."""
    known = WORDS.get(found["type"])
    return known.format(**found.get("ctx", {})) if known else found["msg"].removeprefix(OWN)
