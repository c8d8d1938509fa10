"""What a workspace claims beyond its folder, in plain words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.trust.claims import Claim, claims_of
from tests.definitions.models.samples import model_of


def labels(root: Path, settings: str = "") -> list[str]:
    model: Any = model_of(f"workspace: {{name: acme{settings}}}")
    assert isinstance(model, WorkspaceDefinition)
    return [each.label for each in claims_of(root, model)]


def test_a_workspace_as_init_makes_it_claims_nothing(tmp_path: Path) -> None:
    (tmp_path / ".rowbook" / "sandbox").mkdir(parents=True)
    assert labels(tmp_path, ", default_resolver_id: files") == []
    harmless = ', engine: {master: "local[2]", conf: {spark.driver.memory: 2g}}'
    assert labels(tmp_path, harmless) == []
    assert claims_of(tmp_path, None) == ()


def test_each_setting_is_named_with_its_value(tmp_path: Path) -> None:
    assert labels(
        tmp_path,
        ', engine: {remote: "sc://host", conf: {spark.jars: a.jar, spark.driver.memory: 2g},'
        " checkpoint_dir: /mnt/lake/rows, sandbox: drafts}"
        ", store: {url: 'postgresql://db/x', credential_ref: env://STORE}"
        ", allowed_locations: [/mnt/lake, ../other]"
        ", credentials: [{ref: env://ERP, host: erp}, {ref: env://OLD, host: old, auth: [md5]}]",
    ) == [
        "engine.remote: sc://host",
        "engine.conf spark.jars: a.jar",
        "engine.checkpoint_dir: /mnt/lake/rows",
        "engine.sandbox: drafts",
        "store.url: postgresql://db/x",
        "store.credential_ref: env://STORE",
        "allowed_locations: /mnt/lake",
        "allowed_locations: ../other",
        "credentials: env://ERP to erp",
        "credentials: env://OLD to old (md5)",
    ]


def test_a_link_by_which_state_is_kept_elsewhere_is_a_claim(tmp_path: Path) -> None:
    work, outside = tmp_path / "work", tmp_path / "outside"
    (work / ".rowbook").mkdir(parents=True)
    outside.mkdir()
    (work / "inside").mkdir()
    (work / ".rowbook" / "sandbox").symlink_to(outside)
    (work / ".rowbook" / "cache").symlink_to(work / "inside")
    assert labels(work) == [f".rowbook/sandbox: {outside}"]
    (work / ".rowbook").rename(work / "state")
    (work / ".rowbook").symlink_to(outside)
    assert labels(work) == [f".rowbook: {outside}"]


def test_what_looks_like_a_secret_is_not_shown_and_decides_all_the_same() -> None:
    one, other = (Claim("engine.conf spark.hadoop.fs.s3a.secret.key", v, "") for v in "ab")
    assert one.label == "engine.conf spark.hadoop.fs.s3a.secret.key: ***"
    assert one.digest != other.digest


def test_a_claim_is_shown_on_one_line() -> None:
    assert Claim("store.url", "x\n\x1b[2J", "").label == "store.url: x··[2J"
