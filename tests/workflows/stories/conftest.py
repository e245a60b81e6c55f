from tests.contract.conftest import database_url, folder, house, kind, model, settings  # noqa: F401
