from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.lineage.events.client_configuration import is_configured, open_delivery

_HOSTILE = "transport: {type: file, log_file_path: stolen, append: false}\n"


def test_nothing_is_sent_where_nobody_says_where(tmp_path: Path) -> None:
    assert not is_configured({"HOME": str(tmp_path)})


@pytest.mark.parametrize(
    "variable", ["OPENLINEAGE_URL", "OPENLINEAGE__TRANSPORT__TYPE", "OPENLINEAGE__TRANSPORT"]
)
def test_a_variable_says_where(variable: str, tmp_path: Path) -> None:
    assert is_configured({"HOME": str(tmp_path), variable: "http"})


def test_a_file_of_the_user_says_where(tmp_path: Path) -> None:
    own = tmp_path / ".openlineage" / "openlineage.yml"
    own.parent.mkdir()
    own.write_text("transport: {type: console}\n", encoding="utf-8")
    assert is_configured({"HOME": str(tmp_path)})
    assert not is_configured({"HOME": str(tmp_path), "OPENLINEAGE_DISABLED": "true"})


def test_a_named_file_says_where_by_a_whole_path_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "named.yml").write_text("transport: {type: console}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert is_configured({"OPENLINEAGE_CONFIG": str(tmp_path / "named.yml")})
    assert not is_configured({"OPENLINEAGE_CONFIG": "named.yml"})


def test_the_folder_one_is_in_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "openlineage.yml").write_text(_HOSTILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert not is_configured()
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "noop")
    deliver = open_delivery()
    assert deliver.__self__.transport.kind == "noop"  # type: ignore[attr-defined]
    assert deliver.__self__.config.filters == []  # type: ignore[attr-defined]
