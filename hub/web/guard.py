"""What stands before every page: which host names and origins count, how large a request may be, which headers go out.

Who asks is another question (``hub.web.access``). A page of another site must not be able to act here through the
browser of the person at the desk: host names are checked (a name that was pointed at 127.0.0.1 is not ours), posts must
come from our own pages, and each carries a token that only those pages know.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qsl

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hub.web.errors import WebError

_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Signs that nobody can type or see, and that turn the writing around behind them: no screen or paper takes them."""

LOOPBACK_HOSTS: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
"""The names under which this machine may call itself."""

LARGEST_BODY: Final = 16_384
"""Bytes of a posted form; the longest one holds a few hundred."""
LARGEST_HEAD: Final = 16_384
"""Bytes of an address and headers, a cookie among them; ours are a few hundred."""
MOST_FIELDS: Final = 400
"""Fields of a posted form; a sheet typed from paper has ten a hand."""
COOKIE: Final = "tallybox-page"
SESSION: Final = "tallybox-session"

POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9.\-]{1,253})(?::[0-9]{1,5})?")

Refuse = Callable[[Request, WebError], Response]

log = structlog.get_logger("hub.web")

_STUMBLED: Final = WebError(
    500,
    "stumbled",
    "The dashboard stumbled over this page. Nothing was changed, and the tables play on.",
    "Open the room again. The hub's log has the reason.",
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Posts carry a token made from the page's cookie; ``secret`` is drawn anew at each start."""

    secret: bytes

    def token(self, page: str) -> str:
        """The token that belongs to the page's cookie."""
        return hmac.new(self.secret, page.encode(), hashlib.sha256).hexdigest()

    def check(self, page: str, token: str) -> None:
        """Raises ``WebError`` unless the token was given to this very browser."""
        if not page or not hmac.compare_digest(self.token(page).encode(), token.encode()):
            raise WebError(
                403, "stale-page", "This page is older than the hub's last start.", "Open it again and repeat the act."
            )


class Guard:
    """ASGI middleware: refuses foreign hosts, foreign posts and large bodies; adds the headers to every answer.

    ``larger``: the bytes that single addresses take beyond ``LARGEST_BODY``. What stumbles behind it is logged, and
    answered with a sentence; no traceback leaves.
    """

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str], refuse: Refuse, larger: Mapping[str, int]) -> None:
        self._app = app
        self._hosts = hosts
        self._refuse = refuse
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        outward = _Outward(send)
        try:
            self._check(scope)
            await self._app(scope, receive, outward)
        except ClientDisconnect:
            return  # nobody is there to be answered, and nothing was done
        except WebError as no:
            await self._refuse(Request(scope), no)(scope, receive, outward)
        except Exception:
            log.exception("page_stumbled", path=str(scope["path"])[:200])
            if outward.started:
                raise
            await self._refuse(Request(scope), _STUMBLED)(scope, receive, outward)

    def _check(self, scope: Scope) -> None:
        head = len(scope["raw_path"]) + len(scope["query_string"])
        if head + sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
            raise WebError(
                431, "large-head", f"Address and headers are larger than {LARGEST_HEAD} bytes.",
                "Remove this address's cookies, then open the room again.",
            )  # fmt: skip
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            raise WebError(421, "other-host", "This hub answers to its own name only.", "Open the address it printed.")
        if scope["method"] in {"GET", "HEAD"}:
            return
        if not _own(headers, f"{scope['scheme']}://{host}"):
            raise WebError(
                403, "other-origin", "This came from another site and was not done.", "Use the dashboard's own pages."
            )
        length, most = headers.get("content-length", "0"), self._larger.get(scope["path"], LARGEST_BODY)
        if not length.isdecimal() or int(length[:12]) > most:
            raise WebError(413, "too-large", f"The form is larger than {most} bytes.", "Send less text.")


def _name(host: str) -> str:
    """The name in a ``Host`` header, empty when it is more than a name and a port: what reads it next could see another
    name in ``ours:80@theirs``."""
    whole = _HOST.fullmatch(host)
    return whole[1].lower() if whole else ""


def _own(headers: Headers, ours: str) -> bool:
    """Whether a post comes from our own page. A plain form sends the origin ``null`` under ``no-referrer``; then the
    browser's own ``Sec-Fetch-Site`` must vouch for it."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site != "same-origin":
        return False
    if origin == ours:
        return True
    return origin == "null" and site == "same-origin"


class _Outward:
    """Sends on, with the headers; knows whether an answer has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)


def page_cookie(request: Request) -> str:
    """The value of the page's cookie, empty when the browser sent none."""
    return _cookie(request, page_name(request))


def page_name(request: Request) -> str:
    """The name of the page's cookie."""
    return _named(request, COOKIE)


def session_name(request: Request) -> str:
    """The name of the session's cookie."""
    return _named(request, SESSION)


def _named(request: Request, name: str) -> str:
    """Over TLS a cookie is bound to this very host by its prefix: no plain page can put one in its place."""
    return f"__Host-{name}" if request.url.scheme == "https" else name


def session_cookie(request: Request) -> str:
    """The token of the session that the browser says it has, empty when it sent none."""
    return _cookie(request, session_name(request))


def bound_to(request: Request) -> str:
    """What the page's token is made from: the session, or before the sign-in the page's own cookie."""
    return session_cookie(request) or page_cookie(request)


def _cookie(request: Request, name: str) -> str:
    try:
        jar = SimpleCookie(request.headers.get("cookie", "")[:4096])
    except CookieError:
        return ""
    return jar[name].value[:64] if name in jar else ""


async def body_of(request: Request, most: int = LARGEST_BODY) -> bytes:
    """What was posted, of at most so many bytes; raises ``WebError``."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise WebError(413, "too-large", f"The form is larger than {most} bytes.", "Send less text.")
    return bytes(body)


async def form(
    request: Request, tokens: Tokens, most: int = LARGEST_BODY, most_fields: int = MOST_FIELDS
) -> dict[str, str]:
    """The fields of a posted form, each at most once; raises ``WebError`` for anything else.

    They stay with the request as ``state.posted``, for the answer where the act is refused.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise WebError(415, "not-a-form", "Acts are posted as a form.", "Use the dashboard's own pages.")
    body = await body_of(request, most)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=most_fields)
    except (ValueError, UnicodeDecodeError):
        raise WebError(400, "not-a-form", "The form cannot be read.", "Use the dashboard's own pages.") from None
    fields = {name: _UNSEEN.sub("", value) for name, value in pairs}
    if len(fields) != len(pairs):
        raise WebError(400, "not-a-form", "A field came twice.", "Use the dashboard's own pages.")
    tokens.check(bound_to(request), fields.pop("token", ""))
    request.state.posted = dict(fields)
    return fields
