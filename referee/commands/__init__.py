"""One module for each `referee NAME`, holding a click command called `command`."""
