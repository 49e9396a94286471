"""From an app on disk to a site on loopback: generators, the store and the server."""
