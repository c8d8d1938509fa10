"""The rows of a draft at a step, nothing written: by the reference engine or on Spark."""
