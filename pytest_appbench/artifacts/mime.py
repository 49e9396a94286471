"""Content types by file name, the same on every machine.

The standard library's table is completed from files of the machine it runs on, so that the same
app could work on one machine and not on another; this one is ours alone.
"""

from __future__ import annotations

_BINARY = "application/octet-stream"

_TYPES = {
    "3gp": "video/3gpp",
    "aac": "audio/aac",
    "apng": "image/apng",
    "atom": "application/atom+xml",
    "avi": "video/x-msvideo",
    "avif": "image/avif",
    "bmp": "image/bmp",
    "cjs": "text/javascript",
    "css": "text/css",
    "csv": "text/csv",
    "cur": "image/x-icon",
    "eot": "application/vnd.ms-fontobject",
    "flac": "audio/flac",
    "frag": "text/plain",
    "geojson": "application/geo+json",
    "gif": "image/gif",
    "glb": "model/gltf-binary",
    "glsl": "text/plain",
    "gltf": "model/gltf+json",
    "gpx": "application/gpx+xml",
    "gz": "application/gzip",
    "htm": "text/html",
    "html": "text/html",
    "ico": "image/x-icon",
    "ics": "text/calendar",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript",
    "json": "application/json",
    "json5": "application/json5",
    "jsonld": "application/ld+json",
    "jsx": "text/javascript",
    "kml": "application/vnd.google-earth.kml+xml",
    "log": "text/plain",
    "m3u8": "application/vnd.apple.mpegurl",
    "m4a": "audio/mp4",
    "m4v": "video/mp4",
    "map": "application/json",
    "md": "text/markdown",
    "mid": "audio/midi",
    "midi": "audio/midi",
    "mjs": "text/javascript",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "mpd": "application/dash+xml",
    "mtl": "text/plain",
    "ndjson": "application/x-ndjson",
    "obj": "text/plain",
    "oga": "audio/ogg",
    "ogg": "audio/ogg",
    "ogv": "video/ogg",
    "opus": "audio/ogg",
    "otf": "font/otf",
    "pdf": "application/pdf",
    "png": "image/png",
    "rss": "application/rss+xml",
    "srt": "text/plain",
    "stl": "model/stl",
    "svg": "image/svg+xml",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "toml": "application/toml",
    "tsv": "text/tab-separated-values",
    "ttc": "font/collection",
    "ttf": "font/ttf",
    "txt": "text/plain",
    "vert": "text/plain",
    "vtt": "text/vtt",
    "wasm": "application/wasm",
    "wav": "audio/wav",
    "weba": "audio/webm",
    "webm": "video/webm",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "wgsl": "text/plain",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "xhtml": "application/xhtml+xml",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "zip": "application/zip",
}


def content_type(name: str) -> str:
    """The Content-Type to send with a file.

    Args:
        name: The file's name; its last suffix counts, in upper or lower case.

    Returns:
        The media type, for text with `charset=utf-8`.
    """
    _, dot, suffix = name.rpartition(".")
    media = _TYPES.get(suffix.lower(), _BINARY) if dot else _BINARY
    return f"{media}; charset=utf-8" if _is_text(media) else media


def _is_text(media: str) -> bool:
    return media.startswith("text/") or media.endswith(("json", "+xml", "/xml", "yaml", "toml"))
