"""Real parts: both databases, the whole application in a thread, a scripted model at the wire."""

import gc
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import certifi
import hypothesis
import pytest
from argon2 import PasswordHasher
from xdist.scheduler import LoadScopeScheduling

from signoff import migrations
from signoff.audit.actions import sealed_by
from signoff.audit.anchor_writer import sealer_for
from signoff.kit.db import events
from signoff.kit.db.database import Database
from signoff.kit.settings import Settings
from signoff.tools import impact_statements
from signoff.workspaces.sign_in import passwords
from tests.fresh import fresh_database, settings_for
from tests.house import House
from tests.postgres import new_database, postgres
from tests.wire import Model, ModelServer

# Where the tests of a module share nothing, so that each goes to whoever is free.
ALONE = ("tests/audit/", "tests/engine/loop/test_model_retry.py")
# What a worker needs seconds for at its first test, a browser or a process to fork from: so few workers have it.
TOGETHER = ("tests/e2e/", "tests/crash/")
GROUPS = 3
# What takes longest begins first: a worker that got it last would keep all others waiting.
LONGEST_FIRST = (
    "tests/e2e/",
    "tests/crash/",
    "tests/cli/test_real",
    "tests/engine/",
    "tests/security/",
    "tests/contract/",
)
# What the API says and what people are asked is the same on both databases: proved on SQLite here, and on
# PostgreSQL by `make test-slow`.
ON_SQLITE = (
    *("tests/asks/test_any_order.py", "tests/insights/test_replay.py"),
    *("tests/connections/", "tests/contract/", "tests/security/", "tests/engine/", "tests/channels/"),
    *("tests/crash/test_recovery.py", "tests/crash/test_set_aside.py", "tests/crash/test_boundaries.py"),
    *(
        "tests/crash/test_agent_replies.py",
        "tests/crash/test_waiting.py",
        "tests/crash/test_chaos.py",
        "tests/crash/test_pause_all.py",
        "tests/crash/test_undoing.py",
    ),
    *("tests/audit/test_sealed.py", "tests/workflows/execution/", "tests/workflows/stories/"),
)

# Several workers are PostgreSQL's case; with SQLite they are tried by `make test-slow`.
ON_POSTGRESQL = (
    *("tests/crash/test_takeover.py", "tests/runs/test_processes.py", "tests/runs/test_waiting.py"),
    "tests/contract/rules/test_elsewhere.py::test_another_process_",
)

# A worker holds some hundred thousand objects for good: modules, tables, thousands of collected tests. Looking through
# them for cycles, as often as Python does by itself, took a twelfth of the run and a third of the collection.
gc.set_threshold(50_000, 50, 1000)

# A busy machine answers late, which is no test's matter unless it says how late.
impact_statements.SECONDS = 20.0

_shared, _url = pytest.StashKey[ExitStack](), pytest.StashKey[str]()


class ByModule(LoadScopeScheduling):
    """The tests of a module that share a server go together, so that no two workers build the same one."""

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(ALONE):
            return nodeid
        path, _, name = nodeid.partition("::")
        if folder := next((each for each in TOGETHER if nodeid.startswith(each)), None):
            return f"{folder}{crc32(path.encode()) % GROUPS}"
        return path + next((kind for kind in ("sqlite", "postgresql") if kind in name), "")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    config.option.loadscopereorder = False
    return ByModule(config, log)


def pytest_configure_node(node: Any) -> None:
    """All workers share one PostgreSQL."""
    if _shared not in node.config.stash:
        node.config.stash[_shared] = ExitStack()
        node.config.stash[_url] = node.config.stash[_shared].enter_context(_postgres_with_template())
    node.workerinput["postgres"] = node.config.stash[_url]


def pytest_unconfigure(config: pytest.Config) -> None:
    if _shared in config.stash:
        config.stash[_shared].close()


def pytest_configure(config: pytest.Config) -> None:
    """Each worker begins with another folder: on a clean clone it finds compiled what the others have been through."""
    if (worker := os.environ.get("PYTEST_XDIST_WORKER")) and config.args == config.getini("testpaths"):
        parts = sorted(
            {path.relative_to(config.rootpath).parts[1] for path in config.rootpath.glob("tests/**/test_*.py")}
        )
        first = int(worker.removeprefix("gw")) * len(parts) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        config.args = [f"tests/{part}" for part in parts[first:] + parts[:first]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A twin on PostgreSQL is slow, unless its test says that SQL, order or locks are what it is about."""
    for item in items:
        on = item.callspec.params.get("kind") if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ""
        if on == "postgresql" and item.nodeid.startswith(ON_SQLITE) and not item.get_closest_marker("both_databases"):
            item.add_marker("slow")
        if on == "sqlite" and item.nodeid.startswith(ON_POSTGRESQL):
            item.add_marker("slow")
    items.sort(key=_place)


def pytest_collection_finish() -> None:
    """What is there now stays until the end, so it is never looked through again."""
    gc.collect()
    gc.freeze()


def _place(item: pytest.Item) -> tuple[int, str]:
    """The same for every worker, wherever it began."""
    found = (number for number, start in enumerate(LONGEST_FIRST) if item.nodeid.startswith(start))
    return next(found, len(LONGEST_FIRST)), item.nodeid.partition("::")[0]


# Which browser the tests use is a setting of theirs; all others are the product's.
for name in [name for name in os.environ if name.startswith("SIGNOFF_") and name != "SIGNOFF_CHROMIUM"]:
    del os.environ[name]


def _few_authorities() -> str:
    """Every client of HTTP reads all certificates of the machine, 20 ms each time. Here nobody leaves the machine."""
    few = Path(__file__).parents[1] / ".build/one-authority.pem"
    few.parent.mkdir(exist_ok=True)
    end = "-----END CERTIFICATE-----\n"
    few.write_text(Path(certifi.where()).read_text().partition(end)[0] + end)
    return str(few)


if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["SSL_CERT_FILE"] = _few_authorities()
# How long a machine takes to think of an example is no matter of ours. `make test-slow` thinks of more of them.
PATIENT = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("thorough", PATIENT, max_examples=200)
hypothesis.settings.register_profile("fast", PATIENT, max_examples=40)
hypothesis.settings.load_profile("fast")
# A password costs a tenth of a second on purpose; `test_passwords.py` sees that it does where nobody looks.
passwords.HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The one that all workers share, or one of our own where there are none."""
    if shared := getattr(request.config, "workerinput", {}).get("postgres"):
        yield shared
        return
    with _postgres_with_template() as url:
        yield url


@contextmanager
def _postgres_with_template() -> Iterator[str]:
    """Speed matters more than safety here. The template is migrated, and copied for each test."""
    with postgres("fsync=off", "synchronous_commit=off", "full_page_writes=off") as url:
        template = new_database(url, "signoff_template")
        db = Database(template.replace("postgresql://", "postgresql+psycopg://"), (events.finish,))
        migrations.migrate(db)
        db.close()
        yield url


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "signoff.db"
    db = Database(f"sqlite:///{path}", (events.finish,))
    migrations.migrate(db)
    with db.writer.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Every test of a domain runs on both."""
    return request.param


@pytest.fixture
def database_url(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A migrated, empty database."""
    with fresh_database(kind, tmp_path, request) as url:
        yield url


@pytest.fixture
def db(database_url: str, settings: Settings) -> Iterator[Database]:
    """Sealed with the key that processes of the same test find in their data folder."""
    db = Database(database_url, (sealed_by(sealer_for(settings)), events.finish))
    yield db
    db.close()


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return settings_for(database_url, tmp_path)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    model = Model()
    server = ModelServer(model)
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    yield model
    server.close()


@pytest.fixture
def house(settings: Settings, model: Model) -> Iterator[House]:
    """The whole product: API, engine and model wire, on a real port."""
    with House(settings, model) as house:
        yield house
