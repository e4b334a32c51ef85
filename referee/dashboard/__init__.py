"""Pages, API and live updates for the phones and the big screen: Flask behind waitress, offline, no build step.

`create_app(table, settings)` makes the application, `serve(app, host, port)` runs it in the background.
"""

from referee.dashboard.app import create_app
from referee.dashboard.keys import Keys, open_keys
from referee.dashboard.server import Server, serve
from referee.dashboard.settings import DashboardSettings, lan_address
from referee.dashboard.table import Table

__all__ = ["DashboardSettings", "Keys", "Server", "Table", "create_app", "lan_address", "open_keys", "serve"]
