"""The OpenAPI document, without starting anything: for the typed web client."""

from typing import Any

from signoff.api.app import create_app
from signoff.files.stores import store_for
from signoff.kit.db.database import Database
from signoff.kit.db.live_events import Hub
from signoff.kit.settings import Settings
from signoff.secrets.keyring import keyring_for
from signoff.tools.connections.available import ConnectionTools
from signoff.tools.registry import Registry


def schema() -> dict[str, Any]:
    settings = Settings()
    # Never opened: only the shape of the API is wanted.
    db = Database("sqlite:///unused.db")
    return create_app(
        settings, db, Hub(db), Registry([]), ConnectionTools(db, keyring_for(settings)), store_for(settings)
    ).openapi()
