"""Random networks give the results, the gradients and the second derivatives that modern torch gives.

programs.py says how to repeat a failure.
"""

from dataclasses import replace

import numpy
import pytest
from hypothesis import event

from .networks import ModernTorch, Ours, networks
from .programs import for_random

# Layers are named in errors by what they are made of.
MADE_OF = {
    "Softmin": "softmax",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits or BCEWithLogitsLoss",
    "CrossEntropyLoss": "NLLLoss",
    "MultiLabelSoftMarginLoss": "multilabel_soft_margin_loss or BCEWithLogitsLoss",
    "UpsamplingBilinear2d": "upsample_bilinear",
    "UpsamplingNearest2d": "upsample_nearest",
}
DISTANCES = "PairwiseDistance", "TripletMarginLoss"
TOLERANCES = {"float64": 1e-9, "float32": 1e-4}
SHIFTS = {"float64": 1e-12, "float32": 1e-6}


@for_random(300, networks(), most=5000)
@pytest.mark.filterwarnings("ignore")  # torch warns of options that it has given up
def test_random_networks_are_modern_torchs(network):
    theirs, failed_there, refusal = network.run(ModernTorch)
    ours, failed, error = network.run(Ours)
    if failed != failed_there:
        # No layer makes a result without elements.
        assert failed is not None and not all(x.size for x in theirs.values()), f"torch: {refusal!r}, ours: {error!r}"
    elif failed is not None:
        assert_named(network.layers[failed].name, str(error))
    else:
        assert_agree(network, ours, theirs)
    for layer in network.layers:
        event(layer.name)


def assert_named(name, message):
    """The message begins with the name of the module, the function, or the Function behind it."""
    first = message.split(":")[0].split()[0].replace("_", "").lower()
    assert first in (MADE_OF.get(name, name)).replace("_", "").lower(), f"{name} is not named: {message}"


def assert_agree(network, ours, theirs):
    assert ours.keys() >= theirs.keys()
    tolerance = TOLERANCES[network.dtype]
    if network.layers[-1].name == "CosineEmbeddingLoss":
        tolerance = max(tolerance, 1e-8)  # at zeros: torch's 1e-12 has the digits of a float
    if any([layer.name in DISTANCES for layer in network.layers]):
        tolerance = max(tolerance, 1e-7)  # at equal inputs: the difference is the eps of 1e-6, and its inverses cancel
    if network.layers[-1].name == "BCELoss":  # torch's gradient of the target is infinite at a probability of 0 or 1
        theirs = {name: expected for name, expected in theirs.items() if numpy.isfinite(expected).all()}
    least = dict.fromkeys(theirs, 0.0)
    if network.layers[-1].name == "CosineEmbeddingLoss":
        # Near a length of 0, second derivatives are small differences of squares of first ones.
        first = max(numpy.abs(value).max(initial=0) for name, value in theirs.items() if "second" not in name)
        rounding = 16 * numpy.finfo(network.dtype).eps * first**2
        least |= {name: rounding for name in theirs if "second" in name}
    wrong = [name for name in theirs if not close(ours[name], theirs[name], tolerance, least[name])]
    if wrong and not network.rounded:
        # Where numbers nearly cancel, or nearly are at a limit, torch's own change as much by a tiny shift.
        shifted = [network.run(ModernTorch, sign * SHIFTS[network.dtype])[0] for sign in (1, -1)]
        scales = {name: max(numpy.abs(s[name] - theirs[name]).max() for s in shifted) for name in wrong}
        wrong = [name for name in wrong if not close(ours[name], theirs[name], 0, 100 * scales[name])]
        event("nearly at a limit" if not wrong else "wrong")
    if wrong and network.dtype == "float32":
        # Or a difference of nearly equal numbers, which is rounding alone: in double precision both agree.
        exact = replace(network, dtype="float64")
        assert_agree(exact, exact.run(Ours)[0], exact.run(ModernTorch)[0])
        wrong = [name for name in wrong if not close(ours[name], theirs[name], 1e-2, least[name])]
    for name in wrong:
        numpy.testing.assert_allclose(ours[name], theirs[name], rtol=tolerance, err_msg=f"{name} of {network}")


def close(a, b, tolerance, least=0.0):
    scale = numpy.abs(b[numpy.isfinite(b)]).max(initial=1)
    same = a.shape == b.shape and a.dtype == b.dtype
    return same and numpy.allclose(a, b, rtol=tolerance, atol=tolerance * scale + least, equal_nan=True)
