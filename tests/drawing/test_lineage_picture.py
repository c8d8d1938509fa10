from __future__ import annotations

from xml.etree import ElementTree

from rowbook.drawing.lineage_picture import lineage_mermaid, lineage_svg
from rowbook.lineage.column_lineage import ColumnLineage, ColumnSource, OutputLineage
from rowbook.runs.chains.chain_lineage import LineageResult

_OUTPUT = OutputLineage(
    30,
    "write",
    "lake:<out>",
    None,
    (
        ColumnLineage(
            "total",
            (
                ColumnSource("gl", "amount", "aggregation", (10,)),
                ColumnSource("gl", "amount", "conditional", (10,)),
                ColumnSource("gl", "kind", "conditional", (10,)),
            ),
            (10,),
        ),
    ),
    (),
    (),
)
_FOUND = LineageResult("close", "project", None, ("gl",), (_OUTPUT,))


def test_a_line_for_each_source_direct_where_it_is_both() -> None:
    drawn = ElementTree.fromstring(lineage_svg(_FOUND))
    paths = drawn.findall("{http://www.w3.org/2000/svg}path")
    lines = {path[0].text: path.get("class") for path in paths}
    assert lines == {"gl.kind → total": "indirect", "gl.amount → total": "direct"}


def test_no_text_becomes_markup() -> None:
    assert "lake:&lt;out&gt;" in lineage_svg(_FOUND)


def test_as_mermaid() -> None:
    assert lineage_mermaid(_FOUND).splitlines() == [
        "flowchart LR",
        '    subgraph dataset1["gl"]',
        '        dataset1column1["amount"]',
        '        dataset1column2["kind"]',
        "    end",
        '    subgraph output30["lake:#60;out#62;"]',
        '        output30column1["total"]',
        "    end",
        "    dataset1column1 ==> output30column1",
        "    dataset1column2 -.-> output30column1",
    ]
