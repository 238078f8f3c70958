"""A folder for the module search path, which `runner.install` puts on PYTHONPATH. It is not imported.

A process that a running program starts (a spawned worker of a DataLoader, a rank under MPI) imports `torch` from this
folder, before any modern torch. It follows the era that `conventions.ENVIRONMENT_VARIABLE` names.
"""
