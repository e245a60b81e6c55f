"""One house per module and database, and the real servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.conftest import abroad, database_url, folder, house, kind, model, settings
from tests.mcp_servers import servers

__all__ = ["abroad", "database_url", "folder", "house", "kind", "model", "settings"]


@pytest.fixture(scope="session", autouse=True)
def installed() -> None:
    servers.install()


@pytest.fixture(scope="session")
def web_server(installed: None) -> Iterator[str]:
    with servers.over_http() as url:
        yield url


@pytest.fixture
def shared_folder(tmp_path: Path) -> Path:
    """What the server of files may touch."""
    made = tmp_path / "shared"
    made.mkdir()
    return made
