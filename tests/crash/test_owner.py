"""Whom a new worker takes for dead: only a process that it could see alive."""

from multiprocessing.connection import Connection

from signoff.engine.worker.owner import is_dead, this_owner
from tests.crash.victim import FORKS


def test_a_living_process_is_not_dead() -> None:
    assert not is_dead(this_owner())


def test_a_process_that_is_gone_is_dead() -> None:
    assert is_dead(_owner_of_a_dead_process())


def test_a_pid_that_was_given_to_another_process_does_not_keep_the_dead_alive() -> None:
    host, pid, _, name = this_owner().split("|")
    assert is_dead(f"{host}|{pid}|1|{name}")


def test_a_container_with_the_same_host_name_is_not_judged() -> None:
    host, rest = _owner_of_a_dead_process().split("|", 1)
    assert not is_dead(f"{host}-other|{rest}")
    assert not is_dead(f"{host.split('/')[0]}/another-boot/pid:[1]|{rest}")


def _owner_of_a_dead_process() -> str:
    there, here = FORKS.Pipe()
    process = FORKS.Process(target=_send_owner, args=(here,), daemon=True)
    process.start()
    owner = there.recv()
    process.join()
    return owner


def _send_owner(here: Connection) -> None:
    here.send(this_owner())
