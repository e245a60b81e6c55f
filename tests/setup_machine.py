"""What the tests need beside Python: a browser. Installed when it is missing and this user may."""

import os
import shutil
import subprocess
import sys


def main() -> None:
    if shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome"):
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit("The browser tests need Chromium: install the package `chromium`, then run `make test` again.")
    print("Installing Chromium for the browser tests …", flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    subprocess.run(["apt-get", "update", "-qq"], **quiet)
    subprocess.run(["apt-get", "install", "-qq", "-y", "--no-install-recommends", "chromium"], **quiet)


if __name__ == "__main__":
    main()
