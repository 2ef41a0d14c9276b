"""Style sheets, scripts and icons: the files of `static`, compressed. They hold nothing personal, so that their length
may be observed. Comments that fill their lines and the indentation of style sheets are removed; line numbers stay.
"""

import gzip
import re
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from aiohttp import web

_FOLDER = Path(__file__).parent / "static"
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}
FILE = r"{file:[a-z]+[0-9]*\.(?:css|js|svg|png)}"
"""Pattern of a file's name in addresses."""
_LEFT_OUT = {
    ".js": re.compile(rb"^ *//.*$", re.MULTILINE),
    ".css": re.compile(rb"^ */\*[^*]*\*/$|^ +", re.MULTILINE),
}


class _File(NamedTuple):
    content: bytes
    zipped: bytes
    tag: str


@lru_cache(maxsize=64)
def _read_file(name: str, _changed_ns: int) -> _File:
    content = (_FOLDER / name).read_bytes()
    if (left_out := _LEFT_OUT.get(Path(name).suffix)) is not None:
        content = left_out.sub(lambda found: b"\n" * found[0].count(b"\n"), content)
    return _File(content, gzip.compress(content, 9, mtime=0), f'"{blake2b(content, digest_size=8).hexdigest()}"')


def read_sheet(name: str) -> str:
    """Return a style sheet of `static` as it is served."""
    return _read_file(name, (_FOLDER / name).stat().st_mtime_ns).content.decode()


async def serve_file(request: web.Request) -> web.Response:
    """Serve a static file (GET); 304 if the browser has it, 404 if there is none."""
    path = _FOLDER / request.match_info["file"]
    try:
        file = _read_file(path.name, path.stat().st_mtime_ns)
    except FileNotFoundError:
        raise web.HTTPNotFound from None
    headers = {"ETag": file.tag, "Vary": "Accept-Encoding"}
    if request.headers.get("If-None-Match") == file.tag:
        return web.Response(status=304, headers=headers)
    body = file.content
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        body, headers["Content-Encoding"] = file.zipped, "gzip"
    charset = None if path.suffix == ".png" else "utf-8"
    return web.Response(body=body, content_type=_KINDS[path.suffix], charset=charset, headers=headers)
