"""What is wrong with settings, each problem at its place."""

from pydantic import BaseModel, ValidationError

from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject
from signoff.kit.text.field_words import field_words


def problems_of(model: type[BaseModel], settings: JsonObject) -> list[FieldError]:
    try:
        model.model_validate(settings)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False)
        return [FieldError(".".join(str(part) for part in each["loc"]), field_words(each)) for each in found]
    return []
