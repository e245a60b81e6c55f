"""Where settings name a secret: `${name}` stands for it. Pure."""

import re
from collections.abc import Mapping

_PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


class SecretMissing(Exception):
    """A setting names a secret that the connection does not have."""


def filled(text: str, secrets: Mapping[str, str]) -> str:
    """The text with secrets in place of their names. Raises SecretMissing."""

    def put_in(place: re.Match[str]) -> str:
        if not secrets.get(place[1]):
            raise SecretMissing(f"The secret {place[1]} is missing, which the settings use.")
        return secrets[place[1]]

    return _PLACE.sub(put_in, text)
