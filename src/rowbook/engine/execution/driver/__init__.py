"""Few rows at the driver: as they are there, and what is done to them there."""
