"""Rules as a file in a repository: watched, and put in force when it is right."""

import logging
import threading
from pathlib import Path

from sqlalchemy.orm import Session

from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.policy.yaml.read import RuleProblem
from signoff.rules import actions
from signoff.workspaces import queries as people

log = logging.getLogger(__name__)
WATCH_SECONDS = 1.0


class RuleFileWatcher:
    """Follows one file. A broken one never replaces a good one: the rules in force stay, and say why."""

    def __init__(self, db: Database, path: Path) -> None:
        self._db = db
        self._path = path
        self._seen: tuple[float, int] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="signoff-rules", daemon=True)

    def start(self) -> None:
        self.look()
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        while not self._stop.wait(WATCH_SECONDS):
            self.look()

    def look(self) -> None:
        """Read the file if it changed since the last look."""
        try:
            state = self._path.stat()
            if (state.st_mtime, state.st_size) == self._seen:
                return
            text = self._path.read_text(encoding="utf-8")
            self._db.write(lambda session: self._take(session, text))
            self._seen = (state.st_mtime, state.st_size)
        except (OSError, UnicodeDecodeError) as error:
            if self._seen != (0.0, 0):
                log.warning("the rules file %s cannot be read: %s. The rules in force stay.", self._path.name, error)
                unreadable = RuleProblem(
                    1, 1, f"the file cannot be read ({type(error).__name__}); the current rules stay"
                )
                self._db.write(lambda session: self._say(session, [unreadable]))
            self._seen = (0.0, 0)
        except Exception:
            log.exception("the rules file %s could not be taken in, trying again", self._path.name)

    def _say(self, session: Session, wrong: list[RuleProblem]) -> None:
        workspace = people.first_workspace(session)
        if workspace is not None:
            actions.follow_file(session, Actor.system(workspace), self._path.name, wrong)

    def _take(self, session: Session, text: str) -> None:
        workspace = people.first_workspace(session)
        if workspace is None:
            return
        actor = Actor.system(workspace)
        wrong = list(actions.problems(text))
        if wrong:
            first = wrong[0]
            problem = (self._path.name, first.line, first.column, first.message)
            log.error("%s, line %s, column %s: %s. The rules in force stay as they were.", *problem)
        else:
            actions.save(session, actor, text, note=f"from {self._path.name}")
        actions.follow_file(session, actor, self._path.name, wrong)
