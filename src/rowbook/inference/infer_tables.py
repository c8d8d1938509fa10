"""From files and tables to proposals, and proposals into the workspace."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles, read_workspace
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.errors import RowbookError, suggestion
from rowbook.inference.columns.logical_names import entity_name
from rowbook.inference.columns.table_profile import profile_table
from rowbook.inference.extracts.data_places import DataPlace, data_places
from rowbook.inference.extracts.extract import Extract
from rowbook.inference.extracts.text_extracts import csv_extract, is_json, json_extract
from rowbook.inference.extracts.typed_extracts import delta_extract, parquet_extract, table_extract
from rowbook.inference.proposals.definition_text import scalar
from rowbook.inference.proposals.proposal import Proposal, propose
from rowbook.inference.proposals.proposal_check import check_proposal, no_files
from rowbook.locations.boundary import Boundary
from rowbook.locations.file_options import format_of
from rowbook.sources.delta.log import LOG_FOLDER
from rowbook.value_class import dataclass

_PARQUET = b"PAR1"


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
    proposals = tuple(propose(profile_table(extract), name) for extract in extracts)
    texts = {file: text for each in proposals for file, text in each.files.items()}
    if is_new:
        chosen = scalar(entity_name(root.resolve().name))
        texts = {WORKSPACE_FILE: f"workspace: {{name: {chosen}}}\n", **texts}
    check_proposal(files, texts)
    if not write:
        return Inference(root, proposals)
    there = [file for file in texts if os.path.lexists(root / file)]
    if there:
        message = f"{', '.join(there)} {'is' if len(there) == 1 else 'are'} there already"
        hint = "choose another name with --name, or remove what is there"
        raise RowbookError.of("USAGE_001", message, hint=hint)
    for file, text in texts.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as made:
            made.write(text)
    return Inference(root, proposals, tuple(texts))


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
        yield _extract(place)


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
        first = file.read(len(_PARQUET))
    kind = "parquet" if first == _PARQUET else format_of(path.name)
    match kind:
        case "parquet":
            return parquet_extract(place)
        case "json":
            return json_extract(place)
        case "csv":
            return csv_extract(place)
        case None:
            return json_extract(place) if is_json(path) else csv_extract(place)
    message = f"{label} is {kind}, which is not looked at"
    raise RowbookError.of("USAGE_001", message, hint="name csv, json, parquet or Delta")
