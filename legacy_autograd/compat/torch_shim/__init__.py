"""A folder for the module search path, not for import: `runner.install` puts it on PYTHONPATH.

A process that a running program starts (a worker of a DataLoader where processes are spawned, a rank under MPI) finds
`torch` here, before any modern torch, and follows the era that `conventions.ENVIRONMENT_VARIABLE` names.
"""
