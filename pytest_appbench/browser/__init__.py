"""The browser room: how an app is opened, used, watched and kept inside its own site."""
