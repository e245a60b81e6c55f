from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from sqlalchemy import text

from signoff.kit.db import Database

router = APIRouter(tags=["health"])


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """The database answers and the engine, where there is one, works."""
    db: Database = request.app.state.db
    engine = getattr(request.app.state, "engine", None)
    checks = {"database": await _answers(db), "engine": engine is None or engine.healthy}
    ready = all(checks.values())
    return JSONResponse({"status": "ok" if ready else "unavailable", **checks}, 200 if ready else 503)


async def _answers(db: Database) -> bool:
    try:
        await db.aread(lambda session: session.execute(text("SELECT 1")))
    except Exception:  # noqa: BLE001 - whatever is wrong, the answer is no
        return False
    return True
