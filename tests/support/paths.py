"""Folders of the project."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "close"
LIBRARY = ROOT / "library"
SOURCES = ROOT / "src"
