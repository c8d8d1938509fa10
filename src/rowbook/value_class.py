"""`dataclass` for the values that every command imports.

The standard one compiles eight methods for each class at import, up to a millisecond, whether a
command makes such a value or not. Classes with slots have theirs compiled here when they are first
called, or share them. Type checkers see the standard one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(**options):
        """As the standard one."""
        if options == {"frozen": True, "slots": True}:
            return partial(_with_lazy_methods, others=_FROZEN)
        if options == {"slots": True}:
            return partial(_with_lazy_methods, others=_MUTABLE)
        return dataclasses.dataclass(**options)


def _with_lazy_methods(written: type, others: Mapping[str, object]) -> type:
    written.__doc__ = written.__doc__ or written.__name__  # else a signature is composed for it
    cls: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(written)
    if any(f.kw_only or f.hash is not None for f in dataclasses.fields(cls)):
        raise TypeError(f"{cls.__name__} needs dataclasses.dataclass")
    methods = {**{name: _on_first_call(cls, name) for name in _SOURCES}, **others}
    for name in methods.keys() - written.__dict__.keys():
        setattr(cls, name, methods[name])
    return cls


def _on_first_call(cls: type, name: str) -> Callable[..., Any]:
    def method(self: object, *args: object, **named: object) -> Any:
        source, scope = _SOURCES[name](cls)
        exec(source, scope)
        compiled = scope[name]
        compiled.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, compiled)
        return compiled(self, *args, **named)

    return method


def _init(cls: type) -> tuple[str, dict[str, Any]]:
    parameters, body = ["self"], []
    scope: dict[str, Any] = {"_absent": object()}
    for field in dataclasses.fields(cls):
        name, default, value = field.name, "", field.name
        if field.default is not dataclasses.MISSING:
            scope[f"_default_{name}"] = field.default
            default = f" = _default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            scope[f"_make_{name}"] = field.default_factory
            default, value = " = _absent", f"_make_{name}() if {name} is _absent else {name}"
        if field.init:
            parameters.append(name + default)
        elif default:
            body.append(name + default)
        else:
            continue  # left to __post_init__
        scope[f"_set_{name}"] = getattr(cls, name).__set__
        body.append(f"_set_{name}(self, {value})")
    body.append("self.__post_init__()" if hasattr(cls, "__post_init__") else "pass")
    return f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body), scope


def _eq(cls: type) -> tuple[str, dict[str, Any]]:
    same = f"{_compared(cls, 'self')} == {_compared(cls, 'other')}"
    checked = f"{same} if other.__class__ is self.__class__ else NotImplemented"
    return f"def __eq__(self, other): return {checked}", {}


def _hash(cls: type) -> tuple[str, dict[str, Any]]:
    return f"def __hash__(self): return hash({_compared(cls, 'self')})", {}


def _compared(cls: type, value: str) -> str:
    names = (field.name for field in dataclasses.fields(cls) if field.compare)
    return "(" + "".join(f"{value}.{name}," for name in names) + ")"


_SOURCES = {"__init__": _init, "__eq__": _eq, "__hash__": _hash}


def _repr(self: Any) -> str:
    names = (field.name for field in dataclasses.fields(self) if field.repr)
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
    return f"{self.__class__.__qualname__}({values})"


def _setattr(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _setstate(self: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_MUTABLE = {"__repr__": _repr, "__hash__": None}
_FROZEN = {
    "__repr__": _repr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__getstate__": _getstate,
    "__setstate__": _setstate,
}
