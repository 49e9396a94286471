"""Writes files so that whoever reads them meanwhile sees all of a file or what was there before."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pytest_appbench.errors import ReportError


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Write a file, all of it or nothing.

    Args:
        path: The file; what was there is replaced, and folders are made.
        text: Its content, in one piece or several.

    Raises:
        ReportError: It cannot be written there.
    """
    if path.is_dir():
        raise ReportError(f"{path} is a folder; name a file in it")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8", errors="replace") as stream:
            stream.writelines((text,) if isinstance(text, str) else text)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise ReportError(
            f"{path} cannot be written: {error.strerror}; name a place where you may write"
        ) from error
