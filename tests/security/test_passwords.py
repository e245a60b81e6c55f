"""What a password costs, where no test has made it cheap."""

import subprocess
import sys

import argon2

HASH = "from signoff.workspaces.sign_in.passwords import hashed; print(hashed('correct horse battery'))"


def test_a_password_is_kept_at_the_full_price() -> None:
    made = subprocess.run([sys.executable, "-c", HASH], capture_output=True, text=True, check=True).stdout.strip()
    usual = argon2.profiles.RFC_9106_LOW_MEMORY
    found = argon2.extract_parameters(made)
    assert found.type is argon2.Type.ID
    assert (found.memory_cost, found.time_cost) >= (usual.memory_cost, usual.time_cost)
