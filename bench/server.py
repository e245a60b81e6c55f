"""The real server with the bench's model and tool: `python -m bench.server PORT FOLDER [DATABASE_URL]`."""

import sys
from pathlib import Path

import uvicorn

from bench.stage import TOKEN, Timeline, prepare
from signoff import main
from signoff.kit.settings import Settings


def serve(port: int, folder: str, database_url: str = "") -> None:
    """As `signoff serve` does it."""
    settings = Settings(port=port, data=Path(folder), database_url=database_url, demo=False, token=TOKEN)
    parts, _ = prepare(settings, Timeline())
    config = uvicorn.Config(main.application(parts), port=port, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run()
    parts.db.close()


if __name__ == "__main__":
    serve(int(sys.argv[1]), *sys.argv[2:])
