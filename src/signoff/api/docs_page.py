"""The API's page. Its scripts are served from here, and the one that stands in the page is named by its hash."""

import base64
import hashlib
import re
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

from signoff.api.web_files import PAGE_HEADERS

NOTHING_KEPT: dict[str, Any] = {"persistAuthorization": False, "tryItOutEnabled": True}
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def mount_docs(app: FastAPI) -> None:
    """Serve the page at /docs, and what it is made of."""
    page = get_swagger_ui_html(
        # Relative to the page, so that no Host header decides where they come from.
        openapi_url="openapi.json",
        swagger_js_url="swagger/swagger-ui-bundle.js",
        swagger_css_url="swagger/swagger-ui.css",
        swagger_favicon_url="swagger/favicon-32x32.png",
        title="Signoff API",
        swagger_ui_parameters=NOTHING_KEPT,
    )
    html = bytes(page.body).decode()
    allowed = " ".join(f"'sha256-{_hash(script)}'" for script in _INLINE.findall(html))
    policy = PAGE_HEADERS["Content-Security-Policy"].replace("script-src 'self'", f"script-src 'self' {allowed}")
    headers = PAGE_HEADERS | {"Content-Security-Policy": policy}

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:  # pyright: ignore[reportUnusedFunction]
        return HTMLResponse(html, headers=headers)

    # The package's own page would load scripts from wherever the Host header says; of it, only the files are used.
    app.mount("/swagger", StaticFiles(packages=[("fastapi_swagger", "resources")]), name="swagger")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
