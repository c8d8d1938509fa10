"""The workspace's own document: everything but its name may be left out."""

from __future__ import annotations

from tests.definitions.models.samples import model_of, refusal


def test_a_name_is_enough() -> None:
    workspace = model_of("workspace: {name: acme}")
    assert workspace.store.url == "sqlite:///.rowbook/store.db"
    assert workspace.store.credential_ref is None
    assert (workspace.engine.master, workspace.engine.remote, workspace.engine.conf) == (
        *(None, None, {}),
    )
    assert (workspace.default_resolver_id, workspace.allowed_locations) == (None, ())


def test_locations_outside_are_listed() -> None:
    workspace = model_of("workspace: {name: acme, allowed_locations: [/data, s3a://lake]}")
    assert workspace.allowed_locations == ("/data", "s3a://lake")


def test_a_name_has_no_spaces() -> None:
    found = refusal("workspace: {name: ac me}")
    assert found == ("WORKSPACE_003", "'ac me' is not a name")


def test_a_secret_is_asked_for_by_scram_unless_it_is_said_otherwise() -> None:
    workspace = model_of(
        "workspace: {name: acme, credentials: [{ref: env://A, host: erp},"
        ' {ref: env://B, host: "old:5433", auth: [scram-sha-256, md5]}]}'
    )
    assert [(each.ref, each.host, each.auth) for each in workspace.credentials] == [
        ("env://A", "erp", ("scram-sha-256",)),
        ("env://B", "old:5433", ("scram-sha-256", "md5")),
    ]
