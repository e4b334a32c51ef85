"""The signed cookie, which no clock ends: a Pi without a clock battery takes today for a day long ago until the network
tells it better, and Flask's own cookie is void when the clock went back, or ahead by more than its life."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadData, URLSafeSerializer
from werkzeug.http import dump_cookie

LIFE = timedelta(days=90)
"""How long a phone keeps the cookie, by its own clock. Too short: it is a stranger at the next evening; too long: a
phone that was given away stays host."""


class Cookies(SecureCookieSessionInterface):
    """What a phone keeps, signed with the application's key."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """What the phone brings; nothing when it is not signed by us."""
        try:
            kept = _signer(app).loads(request.cookies.get(self.get_cookie_name(app), ""))
        except BadData:
            kept = None
        return self.session_class(kept if isinstance(kept, dict) else None)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Sends it to the phone when it has changed, with a span of time and not with a date: the phone knows when."""
        if session.accessed:
            response.vary.add("Cookie")
        if not session.modified:
            return
        cookie = dump_cookie(
            self.get_cookie_name(app),
            _signer(app).dumps(dict(session)),
            max_age=LIFE,
            path=self.get_cookie_path(app),
            httponly=self.get_cookie_httponly(app),
            samesite=self.get_cookie_samesite(app),
            sync_expires=False,
        )
        response.headers.add("Set-Cookie", cookie)


def _signer(app: Flask) -> URLSafeSerializer:
    return URLSafeSerializer(
        app.secret_key or "", salt="referee", signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
    )
