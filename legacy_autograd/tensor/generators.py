"""Generator, a stream of random numbers, and the default one, which serves the whole package."""

import numbers
import secrets
import struct
import weakref
from typing import Any, Self

import numpy

from .messages import shown
from .wrapping import TensorBase, is_tensor, wrap

_BYTE = numpy.dtype("uint8")
_STATE = struct.Struct("<16s16sBIQ")  # state, increment, whether half a number is left over, that half, the seed


class Generator:
    """A stream of random numbers, seeded by the system (2016: torch/csrc/Generator.cpp).

    `torch.default_generator` draws wherever no generator is given.
    """

    __slots__ = ("__weakref__", "_seed", "_stream")

    def __init__(self) -> None:
        self._seed = secrets.randbits(63)
        self._stream = numpy.random.Generator(numpy.random.PCG64(self._seed))
        _all_generators.add(self)

    def manual_seed(self, seed: int) -> Self:
        """Start from a seed: the same seed gives the same numbers.

        Args:
            seed: An integer, taken modulo 2**64.

        Returns:
            This generator.

        Raises:
            TypeError: If `seed` is not an integer.
        """
        if not isinstance(seed, numbers.Integral):
            raise TypeError(f"manual_seed: expected an integer, got {shown(seed)}")
        self._seed = int(seed) % 2**64
        self._stream.bit_generator.state = numpy.random.PCG64(self._seed).state
        return self

    def seed(self) -> int:
        """Start from a seed that the system draws, and return it."""
        return self.manual_seed(secrets.randbits(63))._seed

    def initial_seed(self) -> int:
        """Return the seed that the generator was started from."""
        return self._seed

    def get_state(self) -> Any:
        """Return the state, a ByteTensor."""
        state = self._stream.bit_generator.state
        big = [state["state"][name].to_bytes(16, "little") for name in ("state", "inc")]
        content = _STATE.pack(*big, state["has_uint32"], state["uinteger"], self._seed)
        return wrap(numpy.frombuffer(content, _BYTE).copy())

    def set_state(self, state: TensorBase) -> Self:
        """Return to an earlier state.

        Args:
            state: A ByteTensor from `get_state`.

        Returns:
            This generator.

        Raises:
            TypeError: If `state` is anything else.
        """
        if not is_tensor(state) or state.array.dtype != _BYTE or state.array.shape != (_STATE.size,):
            raise TypeError(
                f"set_rng_state: expected a torch.ByteTensor of size {_STATE.size}, from get_rng_state, got "
                f"{shown(state)}"
            )
        start, increment, has_half, half, self._seed = _STATE.unpack(state.array.tobytes())
        self._stream.bit_generator.state = {
            "bit_generator": "PCG64",
            "state": {"state": int.from_bytes(start, "little"), "inc": int.from_bytes(increment, "little")},
            "has_uint32": has_half,
            "uinteger": half,
        }
        return self


def locks() -> list:
    """Return the locks that NumPy holds while it draws a number: of all generators, and of its own."""
    streams = [generator._stream.bit_generator for generator in list(_all_generators)]
    streams.append(numpy.random.get_bit_generator())  # type: ignore[attr-defined]  # its hints lack it
    return [stream.lock for stream in streams]


_all_generators: weakref.WeakSet[Generator] = weakref.WeakSet()
default_generator = Generator()
generator = default_generator._stream  # always the same object, so other modules may keep it


def stream_of(name: str, chosen: Generator | None) -> numpy.random.Generator:
    """Return numpy's generator behind a Generator.

    Args:
        name: The operation, for the message.
        chosen: The Generator. None means the default one.

    Raises:
        TypeError: If `chosen` is anything else.
    """
    if chosen is None:
        return generator
    if not isinstance(chosen, Generator):
        raise TypeError(f"{name}: generator must be a torch.Generator, got {shown(chosen)}")
    return chosen._stream
