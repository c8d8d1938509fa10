"""Rowbook: declarative, explainable month-end data projects on Spark."""

__version__ = "0.1.0"
