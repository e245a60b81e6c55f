"""What is wrong with settings, each problem at its place."""

from pydantic import BaseModel, ValidationError

from signoff.kit.errors import FieldError
from signoff.kit.jsons import JsonObject


def problems_of(model: type[BaseModel], settings: JsonObject) -> list[FieldError]:
    try:
        model.model_validate(settings)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False, include_context=False)
        return [FieldError(".".join(str(part) for part in each["loc"]), each["msg"]) for each in found]
    return []
