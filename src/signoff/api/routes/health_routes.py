import asyncio
import shutil
from pathlib import Path

from fastapi import Request
from fastapi.responses import JSONResponse
from sqlalchemy import text

from signoff.kit.db.database import Database
from signoff.kit.db.unavailable import RETRY_SECONDS
from signoff.kit.routing import api_router

router = api_router("health")
PATIENCE_SECONDS = 5
# Below this, files and SQLite's own cannot grow any more.
LEAST_FREE_BYTES = 4 * 1024 * 1024


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """The database answers, there is room to write, and the engine, where there is one, works."""
    db: Database = request.app.state.db
    engine = getattr(request.app.state, "engine", None)
    checks = {
        "database": await _answers(db),
        "disk": not db.is_full and _has_room(request.app.state.settings.data),
        "engine": engine is None or engine.healthy,
    }
    if all(checks.values()):
        return JSONResponse({"status": "ok", **checks})
    return JSONResponse({"status": "unavailable", **checks}, 503, {"Retry-After": str(RETRY_SECONDS)})


async def _answers(db: Database) -> bool:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await db.aread(lambda session: session.execute(text("SELECT 1")))
    except Exception:  # noqa: BLE001 - whatever is wrong, the answer is no
        return False
    return True


def _has_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free >= LEAST_FREE_BYTES
    except OSError:
        return False
