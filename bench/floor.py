"""The floor: one bare committed insert, by the driver alone."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import psycopg

from bench.stage import SAYING

ROW = "CREATE TABLE IF NOT EXISTS floor (id INTEGER PRIMARY KEY, body TEXT NOT NULL)"


def sqlite_insert(folder: Path, synchronous: str) -> Callable[[], None]:
    """WAL, and as durable as `synchronous` says."""
    connection = sqlite3.connect(folder / f"floor-{synchronous}.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    connection.execute(ROW)

    def insert() -> None:
        connection.execute("INSERT INTO floor (body) VALUES (?)", (SAYING,))

    return insert


def postgres_insert(url: str) -> Callable[[], None]:
    connection = psycopg.connect(url, autocommit=True)
    connection.execute("CREATE TABLE IF NOT EXISTS floor (id bigserial PRIMARY KEY, body text NOT NULL)")

    def insert() -> None:
        connection.execute("INSERT INTO floor (body) VALUES (%s)", (SAYING,))

    return insert
