"""What a worker reads of a run before it goes on."""

import subprocess
import sys

import pytest

from signoff.kit.db.database import Database
from tests.runs.builders import scene_in

# A process that does nothing else before: no query of the ORM, which would set its classes up.
FRESH = """
import sys
from signoff.claims.actions import Claim
from signoff.kit.db.database import Database
from signoff.runs.worker.snapshot import load_run

db = Database(sys.argv[1])
print(db.read(lambda s: load_run(s, Claim(sys.argv[2], "worker", 1))).agent_subject.slug)
db.close()
"""


@pytest.mark.parametrize("kind", ["sqlite"])
def test_the_first_thing_that_a_process_reads_can_be_a_run(db: Database) -> None:
    scene = scene_in(db)
    url = db.url.render_as_string(hide_password=False)
    read = subprocess.run([sys.executable, "-c", FRESH, url, scene.run_id], check=True, capture_output=True, text=True)
    assert read.stdout.strip() == scene.run().agent
