"""Few rows at the driver, and the stages that are computed there."""
