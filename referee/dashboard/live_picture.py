"""What the camera sees at this moment, as an answer that no browser keeps."""

from __future__ import annotations

from flask import Response

from referee.dashboard.refused import Refused


def live_picture(jpeg: bytes | None) -> Response:
    """Raises Refused where there is no picture."""
    if jpeg is None:
        raise Refused("no_photo", 404, "there is no picture of the camera now")
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
