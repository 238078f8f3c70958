"""The name of the twin's decisions that the package uses."""

watched: dict = {}
