"""A form with a file: what browsers send as ``multipart/form-data``, of bounded size, read by the standard library."""

from __future__ import annotations

from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP

from starlette.requests import Request

from hub.web.errors import WebError
from hub.web.guard import MOST_FIELDS, Tokens, body_of, bound_to, form

FILE = "file"
"""The name of the field that holds the file."""


async def uploaded(
    request: Request, tokens: Tokens, most: int, most_fields: int = MOST_FIELDS
) -> tuple[dict[str, str], bytes]:
    """The fields, and the file's bytes (empty when none was sent); raises ``WebError``. A plain form is read too."""
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip() != "multipart/form-data":
        return await form(request, tokens, most, most_fields), b""
    try:
        head = f"Content-Type: {kind}\r\nMIME-Version: 1.0\r\n\r\n".encode("ascii")
    except UnicodeEncodeError:
        raise _unreadable() from None
    message = BytesParser(policy=HTTP).parsebytes(head + await body_of(request, most))
    if not message.is_multipart():
        raise _unreadable()
    fields, file = _read(message, most_fields)
    tokens.check(bound_to(request), fields.pop("token", ""))
    return fields, file


def _read(message: EmailMessage, most_fields: int) -> tuple[dict[str, str], bytes]:
    fields: dict[str, str] = {}
    file = b""
    for count, part in enumerate(message.iter_parts(), 1):
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        if count > most_fields or not isinstance(name, str) or not isinstance(content, bytes) or name in fields:
            raise _unreadable()
        if name == FILE:
            file = content
            continue
        try:
            fields[name] = content.decode()
        except UnicodeDecodeError:
            raise _unreadable() from None
    return fields, file


def _unreadable() -> WebError:
    return WebError(400, "not-a-form", "The form cannot be read.", "Use the dashboard's own pages.")
