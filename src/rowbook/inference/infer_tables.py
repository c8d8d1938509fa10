"""From files and tables to proposals, and proposals into the workspace."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles, read_workspace
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.errors import RowbookError, reason, suggestion
from rowbook.inference.columns.logical_names import entity_name
from rowbook.inference.columns.table_profile import profile_table
from rowbook.inference.extracts.data_places import DataPlace, data_places
from rowbook.inference.extracts.extract import Extract
from rowbook.inference.extracts.sheet_extract import sheet_extract
from rowbook.inference.extracts.text_extracts import csv_extract, is_json, json_extract
from rowbook.inference.extracts.typed_extracts import delta_extract, parquet_extract, table_extract
from rowbook.inference.proposals.definition_text import scalar
from rowbook.inference.proposals.proposal import Proposal, propose
from rowbook.inference.proposals.proposal_check import check_proposal, no_files
from rowbook.locations.boundary import Boundary
from rowbook.locations.file_options import format_of
from rowbook.sources.delta.log import LOG_FOLDER
from rowbook.value_class import dataclass

_MAGIC = {b"PAR1": "parquet", b"PK\x03\x04": "excel", b"\xd0\xcf\x11\xe0": "excel"}
"""What files begin with, whatever their names end with."""
_MAGIC_SIZE = 4


@dataclass(frozen=True, slots=True)
class Inference:
    """What was proposed; `written` are the files that were made, none where nobody wanted that."""

    root: Path
    proposals: tuple[Proposal, ...]
    written: tuple[str, ...] = ()


def infer_tables(root: Path, words: Sequence[str], name: str | None, *, write: bool) -> Inference:
    """`words` are paths, or DATASOURCE:TABLE. A root that is no workspace yet gets a rowbook.yaml,
    too. USAGE_001 where files are there already."""
    is_new = not (root / WORKSPACE_FILE).exists()
    files = no_files(root) if is_new else read_workspace(root)
    extracts = tuple(_extracts(words, files))
    if name is not None and len(extracts) > 1:
        message = f"--name is for one table, and there are {len(extracts)}"
        raise RowbookError.of("USAGE_001", message)
    proposals = tuple(_propose(extract, name) for extract in extracts)
    names = Counter(each.name for each in proposals)
    if twice := [each for each, times in names.items() if times > 1]:
        message = f"two tables would be called '{twice[0]}'"
        raise RowbookError.of("USAGE_001", message, hint="name them one by one, with --name")
    texts = {file: text for each in proposals for file, text in each.files.items()}
    if is_new:
        chosen = scalar(entity_name(root.resolve().name))
        texts = {WORKSPACE_FILE: f"workspace: {{name: {chosen}}}\n", **texts}
    check_proposal(files, texts)
    if not write:
        return Inference(root, proposals)
    for file in texts:
        if not Boundary(root).contains(file):
            raise RowbookError.of("USAGE_001", f"{root / file} leads out of the workspace")
    there = [file for file in texts if os.path.lexists(root / file)]
    if there:
        message = f"{', '.join(there)} {'is' if len(there) == 1 else 'are'} there already"
        hint = "choose another name with --name, or remove what is there"
        raise RowbookError.of("USAGE_001", message, hint=hint)
    _write(root, texts)
    return Inference(root, proposals, tuple(texts))


def _propose(extract: Extract, name: str | None) -> Proposal:
    with _reading(extract.label):
        profile = profile_table(extract)
        if not profile.columns:
            raise RowbookError.of("DATASOURCE_007", f"{extract.label} has no columns to load")
        return propose(profile, name)


@contextmanager
def _reading(label: str) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, UnicodeError, csv.Error) as cause:
        message = f"{label} cannot be read: {reason(cause)}"
        raise RowbookError.of("DATASOURCE_007", message) from cause


def _write(root: Path, texts: Mapping[str, str]) -> None:
    """All of them, or none."""
    made: list[Path] = []
    try:
        for file, text in texts.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as opened:
                made.append(path)
                opened.write(text)
    except OSError as cause:
        for path in made:
            path.unlink(missing_ok=True)
        message = f"{root / file} cannot be written: {reason(cause)}"
        raise RowbookError.of("USAGE_001", message, hint="nothing was written") from cause


def _extracts(words: Sequence[str], files: WorkspaceFiles) -> Iterator[Extract]:
    settings: WorkspaceDefinition | None = files.workspace.model if files.workspace else None
    boundary = Boundary.of(files.root, settings)
    paths: list[Path] = []
    for word in words:
        source, colon, table = word.partition(":")
        if colon and not Path(word).exists():
            yield table_extract(_database(source, files), table, boundary)
        else:
            paths.append(Path(word))
    for place in data_places(paths, boundary):
        with _reading(place.label):
            found = _extract(place)
        yield found


def _database(name: str, files: WorkspaceFiles) -> DatasourceDefinition:
    known = {each.model.name: each.model for each in files.datasources if each.model.type == "jdbc"}
    if name not in known:
        hint = suggestion(name, tuple(known), "databases") or "define a data source of type jdbc"
        message = f"there is no data source '{name}' of type jdbc in the workspace"
        raise RowbookError.of("DATASOURCE_001", message, hint=hint)
    return known[name]


def _extract(place: DataPlace) -> Extract:
    path, label = place.files[0]
    if path.is_dir():
        is_delta = (path / LOG_FOLDER).is_dir()
        return delta_extract(place) if is_delta else parquet_extract(place)
    with path.open("rb") as file:
        first = file.read(_MAGIC_SIZE)
    kind = _MAGIC.get(first) or format_of(path.name)
    match kind:
        case "excel":
            return sheet_extract(place)
        case "parquet":
            return parquet_extract(place)
        case "json":
            return json_extract(place)
        case "csv":
            return csv_extract(place)
        case None:
            return json_extract(place) if is_json(path) else csv_extract(place)
    message = f"{label} is {kind}, which is not looked at"
    raise RowbookError.of("USAGE_001", message, hint="name csv, json, parquet, a workbook or Delta")
