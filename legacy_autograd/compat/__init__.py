"""Support for programs of 2016 and 2017: the runner, and the import names of torch."""
