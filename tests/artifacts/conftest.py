from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _temporary_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Apps that nobody removes, since no run takes them in, lie where pytest cleans up."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("temporary")))
