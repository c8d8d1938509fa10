"""Seals are signed where there is a key; what somebody without it does to them is found."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rowbook.store import Store
from rowbook.store.access import open_store
from rowbook.store.seals.sealer import Sealer
from rowbook.store.seals.signatures import (
    KeyFormatError,
    SigningKey,
    new_private_key,
    public_key,
    signing_key,
)
from tests.store.places import Place
from tests.store.samples import AT, CALENDAR
from tests.store.seals.tampering import findings, tamper
from tests.support.programs import needs


def open_with(place: Place, key: SigningKey | None) -> Store:
    return open_store(place.address, place.password, key=lambda: key)


def close(store: Store, *months: str) -> None:
    for month in months:
        store.periods.close(CALENDAR, month, by="ann", at=AT)


@pytest.fixture
def key() -> SigningKey:
    return signing_key(new_private_key())


def rebuild(place: Place, key: SigningKey | None) -> None:
    """The store's owner makes all seals anew, over other records."""
    with open_with(place, key) as store:
        with store._database.writing("rebuilding") as connection:
            for table in ("seal", "seal_key", "period_change"):
                connection.exec_driver_sql(f"DELETE FROM {table}")
        close(store, "2026-02", "2026-03")


def test_seals_are_signed_and_the_public_key_is_kept(place: Place, key: SigningKey) -> None:
    with open_with(place, key) as store:
        close(store, "2026-01", "2026-02")
        report = store.seals.verify()
        assert (report.verdict, report.unsigned) == ("whole", 0)
        (use,) = report.keys
        assert (use.id, use.first, use.last, use.seals) == (key.public.id, 1, 2, 2)
        assert store.seals.public_keys() == {key.public.id: key.public.pem}


def test_keys_may_follow_each_other(sqlite: Place, key: SigningKey) -> None:
    with open_with(sqlite, None) as store:
        close(store, "2026-01")
    for other, month in ((key, "2026-02"), (signing_key(new_private_key()), "2026-03")):
        with open_with(sqlite, other) as store:
            close(store, month)
    with open_with(sqlite, None) as store:
        report = store.seals.verify()
    assert (report.verdict, report.unsigned, len(report.keys)) == ("whole", 1, 2)


def test_a_signature_that_was_edited_is_bad(sqlite: Place, key: SigningKey) -> None:
    with open_with(sqlite, key) as store:
        close(store, "2026-01", "2026-02")
        tamper(
            store,
            "UPDATE seal SET signature = (SELECT signature FROM seal WHERE number = 2)"
            " WHERE number = 1",
        )
        short = key.public.id[:16]
        assert findings(store) == [f"signature bad at 1: it is not what key {short} signed"]


def test_a_public_key_that_was_replaced_is_found(sqlite: Place, key: SigningKey) -> None:
    with open_with(sqlite, key) as store:
        close(store, "2026-01")
        other = signing_key(new_private_key()).public
        tamper(store, f"UPDATE seal_key SET public_key = '{other.pem}'")
        (finding,) = store.seals.verify().findings
        assert finding.word == "signature bad"
        assert finding.detail.endswith("is not in the store, or is another one")
        assert store.seals.verify(trusted=[key.public]).verdict == "whole"


def test_a_seal_without_signature_after_signed_ones_is_found(
    sqlite: Place, key: SigningKey
) -> None:
    with open_with(sqlite, key) as store:
        close(store, "2026-01")
    with open_with(sqlite, None) as store:
        close(store, "2026-02")
        assert findings(store) == [
            "not signed at 2: it has no signature, although seals before it have"
        ]


def test_a_chain_rebuilt_with_another_key_is_found_by_the_right_one_alone(
    sqlite: Place, key: SigningKey
) -> None:
    with open_with(sqlite, key) as store:
        close(store, "2026-01")
    rebuild(sqlite, signing_key(new_private_key()))
    with open_with(sqlite, None) as store:
        assert store.seals.verify().verdict == "whole"
        report = store.seals.verify(trusted=[key.public])
    assert report.verdict == "signature bad"
    assert {each.detail.partition(", ")[2] for each in report.findings[:2]} == {
        "which is not one of those that were given"
    }


def test_a_chain_rebuilt_without_key_is_not_signed(sqlite: Place, key: SigningKey) -> None:
    with open_with(sqlite, key) as store:
        close(store, "2026-01")
    rebuild(sqlite, None)
    with open_with(sqlite, None) as store:
        report = store.seals.verify()
        assert (report.verdict, report.unsigned) == ("whole", 2)
        assert store.seals.verify(trusted=[key.public]).verdict == "not signed"


def test_the_key_is_asked_for_when_the_first_seal_is_made(sqlite: Place) -> None:
    def refuse() -> SigningKey:
        raise PermissionError("no key")

    with open_store(sqlite.address, key=refuse) as store:
        assert store.periods.states(CALENDAR) == ()
        with pytest.raises(PermissionError):
            close(store, "2026-01")
        assert store.periods.states(CALENDAR) == ()


def test_a_key_that_is_none_is_refused_without_its_text() -> None:
    with pytest.raises(KeyFormatError) as refused:
        signing_key("hunter2")
    assert "hunter2" not in str(refused.value)
    with pytest.raises(KeyFormatError, match="no public key"):
        public_key("hunter2")
    with pytest.raises(KeyFormatError, match="no public key"):
        public_key(new_private_key())


@needs("openssl")
def test_keys_of_other_kinds_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "key"
    curve = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    subprocess.run(["openssl", "genpkey", *curve, "-out", file], check=True)
    with pytest.raises(KeyFormatError, match="not of Ed25519"):
        signing_key(file.read_text())


def test_a_sealer_without_key_signs_nothing() -> None:
    assert Sealer().key is None
