"""What the camera sees at this moment, as an answer that no browser keeps."""

from __future__ import annotations

from flask import Response


def live_picture(jpeg: bytes | None) -> Response:
    """204 without a picture: a page that asks a moment after the last one was shown has done nothing wrong."""
    if jpeg is None:
        return Response(status=204, headers={"Cache-Control": "no-store"})
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
