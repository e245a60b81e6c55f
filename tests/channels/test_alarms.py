"""What is to happen later happens, unless it is called off, and whatever else rings."""

import threading

from signoff.channels.email.alarms import Alarms


def test_an_alarm_rings_also_when_an_earlier_one_comes_or_another_fails() -> None:
    alarms, rang = Alarms(), threading.Event()
    alarms.set(60, rang.clear)
    alarms.set(0, lambda: 1 / 0)
    alarms.set(0, rang.set)
    assert rang.wait(10)


def test_an_alarm_that_is_called_off_does_not_ring() -> None:
    alarms, rang, last = Alarms(), list[str](), threading.Event()
    alarms.call_off(alarms.set(0.05, lambda: rang.append("called off")))
    alarms.set(0.06, last.set)
    assert last.wait(10)
    assert rang == []
