"""Any use of pyplot says what there is instead."""


def __getattr__(name):
    raise AttributeError(
        f"matplotlib is not in the page, so there is no pyplot.{name}: print the numbers, or draw graphs with "
        "legacy_autograd.drawing"
    )
