"""The parameters of a project: declared in its file, given for a run, else their defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from rowbook.definitions.models.project import AnyProject, ParameterDefinition
from rowbook.definitions.place import Place
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.errors import Diagnostic, suggestion
from rowbook.expressions import types as t
from rowbook.expressions.bound import Parameter
from rowbook.expressions.scalars.casts import to_string
from rowbook.expressions.scope import PARAMETERS
from rowbook.expressions.values import Value
from rowbook.planning.columns import COLUMN_NAME
from rowbook.planning.findings import Findings
from rowbook.planning.scenario_cells import read_cell
from rowbook.value_class import dataclass

_USE = re.compile(rf"\b{PARAMETERS}\s*\.\s*(\w+)")

ParameterInput: TypeAlias = str | int | Decimal | float | bool | date
"""What may be given for a parameter: its text, or a value of Python's; a date may be a datetime."""


@dataclass(frozen=True, slots=True)
class GivenParameters:
    """Values for a run. `place` is where they are written, or should be; None for the command line
    and Python, whose words have no place in a file."""

    values: Mapping[str, ParameterInput | Scalar | None] = field(default_factory=dict)
    place: Place | None = None


NOTHING_GIVEN = GivenParameters()


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """A parameter and its value in a run, or in a check, which knows the defaults alone."""

    parameter: Parameter
    is_default: bool
    description: str | None = None

    @property
    def text(self) -> str:
        """As it may be given again."""
        return to_string(self.parameter.value)


def parameter_values(
    model: AnyProject, place: Place, given: GivenParameters | None, findings: Findings
) -> tuple[ParameterValue, ...]:
    """Each declared parameter, with what is `given`, else its default; None where nothing is, as in
    a check. PARAMETER_001 … PARAMETER_005."""
    kinds = {
        name: _declared_type(name, each, place.at("parameters", name), findings)
        for name, each in model.parameters.items()
    }
    values = {
        name: _default(name, each, kinds[name], place.at("parameters", name, "default"), findings)
        for name, each in model.parameters.items()
    }
    _warn_of_unused(model, place, findings)
    chosen: dict[str, Value] = {}
    if given is not None:
        chosen = check_given(model, place, given, findings)
    return tuple(
        ParameterValue(
            Parameter(name, chosen.get(name, values[name]), kinds[name]),
            name not in chosen,
            each.description,
        )
        for name, each in model.parameters.items()
    )


def check_given(
    model: AnyProject, place: Place, given: GivenParameters, findings: Findings
) -> dict[str, Value]:
    """The values that fit, of those given. PARAMETER_001 for a name that the project, at `place`,
    does not declare, PARAMETER_003 for a value that does not fit, PARAMETER_002 for a missing one.
    """
    chosen: dict[str, Value] = {}
    for name, value in given.values.items():
        declared = model.parameters.get(name)
        if declared is None:
            hint = suggestion(name, tuple(model.parameters), "parameters")
            message = f"project '{model.name}' has no parameter '{name}'"
            _report(given, name, "PARAMETER_001", message, hint, findings)
            continue
        kind = t.parse_type(declared.type)
        if kind is None:
            continue
        fitting = _read(value, kind)
        if fitting is None:
            message = f"parameter '{name}' is {kind}: {_label(value)} does not fit"
            _report(given, name, "PARAMETER_003", message, _form(kind), findings)
        else:
            chosen[name] = fitting
    for name, declared in model.parameters.items():
        if declared.default is None and name not in given.values:
            message = f"project '{model.name}' needs a value for parameter '{name}'"
            hint = f"give it: --set {name}=…, or declare a default"
            at = place.at("parameters", name)
            if given.place is not None:
                at, hint = given.place, f"give it: parameters: {{{name}: …}}, or declare a default"
            findings.add(at, "PARAMETER_002", message, hint)
    return chosen


def _warn_of_unused(model: AnyProject, place: Place, findings: Findings) -> None:
    """PARAMETER_005: whatever a run is given for it changes nothing. Not where a name is used that
    is none: it may have been meant."""
    node = place.node
    used = set(_USE.findall(place.document.source.text, node.start, node.end))
    for name in model.parameters if used <= model.parameters.keys() else ():
        if name not in used:
            message = f"no expression uses parameter '{name}'"
            findings.warn(place.at("parameters", name), "PARAMETER_005", message)


def _declared_type(
    name: str, declared: ParameterDefinition, place: Place, findings: Findings
) -> t.Type:
    if not COLUMN_NAME.fullmatch(name):
        hint = "use letters, digits and '_', and start with a letter: it is written param.name"
        finding = Diagnostic(
            "PARAMETER_004", f"'{name}' is not a parameter's name", place.key_position, hint
        )
        findings.diagnostics.append(finding)
    kind = t.parse_type(declared.type)
    if kind is None:
        known = suggestion(declared.type, t.TYPE_NAMES, "types")
        message = f"'{declared.type}' is not a type"
        findings.add(place.at("type"), "PARAMETER_004", message, known)
    return kind or t.UNKNOWN


def _default(
    name: str, declared: ParameterDefinition, kind: t.Type, place: Place, findings: Findings
) -> Value:
    if declared.default is None or kind is t.UNKNOWN:
        return None
    value = _read(declared.default, kind)
    if value is None:
        message = f"parameter '{name}' is {kind}: {_label(declared.default)} does not fit"
        findings.add(place, "PARAMETER_003", message, _form(kind))
    return value


def _read(value: ParameterInput | Scalar | None, kind: t.Type) -> Value:
    """None where it does not fit: a parameter always has a value."""
    given = value if value is None or isinstance(value, str | Scalar) else to_string(value)
    try:
        return read_cell(given, kind)
    except ValueError:
        return None


def _label(value: ParameterInput | Scalar | None) -> str:
    return f"'{value.text if isinstance(value, Scalar) else '' if value is None else value}'"


_FORMS = {
    t.Kind.INTEGER: "write a whole number",
    t.Kind.FLOAT: "write a number with a point: 0.5",
    t.Kind.BOOLEAN: "write true or false",
    t.Kind.DATE: "write 2026-01-31",
    t.Kind.TIMESTAMP: "write 2026-01-31T10:00:00Z",
}


def _form(kind: t.Type) -> str | None:
    if kind.kind is t.Kind.DECIMAL:
        digits = f"{kind.integer_digits} digits before the point, {kind.scale} after it"
        return f"write a number without separators, at most {digits}"
    return _FORMS.get(kind.kind)


def _report(
    given: GivenParameters, name: str, code: str, message: str, hint: str | None, findings: Findings
) -> None:
    if given.place is None:
        findings.diagnostics.append(Diagnostic(code, message, hint=hint))
    elif code == "PARAMETER_001":
        position = given.place.at(name).key_position
        findings.diagnostics.append(Diagnostic(code, message, position, hint))
    else:
        findings.add(given.place.at(name), code, message, hint)
