"""The houses of the contract tests: one per module and database."""

from tests.contract.conftest import (  # noqa: F401
    abroad,
    approver,
    database_url,
    folder,
    house,
    kind,
    member,
    model,
    person,
    settings,
    viewer,
)
