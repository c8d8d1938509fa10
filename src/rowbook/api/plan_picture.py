"""A plan, or that of a chain, as a picture or a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from rowbook.runs.chains.chain_lineage import LineageResult
    from rowbook.runs.chains.plan_chain import ChainPlan
    from rowbook.runs.run_plan.plan_model import RunPlan

Picture: TypeAlias = Literal["svg", "mermaid", "html"]


def draw_plan(plan: RunPlan, form: Picture, lineage: LineageResult | None = None) -> str:
    """With `lineage`, outputs tell what their columns are made of."""
    outputs = () if lineage is None else lineage.outputs
    match form:
        case "svg":
            from rowbook.drawing.svg import plan_svg

            return plan_svg(plan, outputs) + "\n"
        case "mermaid":
            from rowbook.drawing.mermaid import plan_mermaid

            return plan_mermaid(plan, outputs)
        case "html":
            from rowbook.drawing.plan_page import plan_html

            return plan_html(plan, outputs)


def draw_chain(plan: ChainPlan, form: Picture) -> str:
    from rowbook.drawing.chain_picture import chain_html, chain_mermaid, chain_svg

    match form:
        case "svg":
            return chain_svg(plan) + "\n"
        case "mermaid":
            return chain_mermaid(plan)
        case "html":
            return chain_html(plan)


def draw_lineage(lineage: LineageResult, form: Literal["svg", "mermaid"]) -> str:
    """Of outputs; where columns go to is no picture."""
    from rowbook.drawing.lineage_picture import lineage_mermaid, lineage_svg

    return lineage_svg(lineage) + "\n" if form == "svg" else lineage_mermaid(lineage)
