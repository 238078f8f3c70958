"""`DistributedDataParallel`: gradients averaged over all ranks, by hooks of the leaves.

When the gradient of a parameter is ready, its Leaf calls a hook of this file, which copies the gradient into a bucket.
A full bucket is sent to the other ranks while backward continues. When backward ends, the rest is sent. Once all sums
have arrived, every rank writes the same averages into `grad`. PyTorch had a DistributedDataParallel since 0.2 (August
2017), buckets that start in the same order in all processes since 1.0 (pull request 8584), and `no_sync` since 1.2
(21736). The hooks are those of a Leaf in v0.1.1.
"""

from __future__ import annotations

import contextlib
import sys
import weakref
from typing import TYPE_CHECKING, Any

from ..autograd import callbacks
from ..autograd.variable import Variable
from ..nn import Module
from ..nn.hooks import variables_in
from ..tensor.base import wrap
from ._mpi import mpi
from .bucket import fill_buckets
from .consistency import check_same_model
from .process_group import group_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import timedelta

    from mpi4py.MPI import Comm

_HOOK = "DistributedDataParallel"


class DistributedDataParallel(Module):
    """A Module whose gradients are averaged over all ranks.

        model = DistributedDataParallel(LeNet())
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        loss = criterion(model(input), target)   # of this rank's share of the batch
        loss.backward()                          # now every rank has the same gradients
        optimizer.step()

    The constructor copies the parameters and buffers of rank 0 to all ranks. If the loss is a mean and all shares have
    equal size, the average is the gradient of the mean over the whole batch, so training equals that of one process.

    Every rank must run forward and backward equally often; a forward without gradients (with volatile inputs, or within
    `no_grad`) is free. A rank that catches an exception and goes on to the next forward is out of step, as one with
    fewer batches. A parameter that a rank does not use counts as a gradient of zeros there. The `grad` of a
    parameter that no rank uses is not changed.
    `state_dict` is that of the module, so a checkpoint of several ranks also fits one process. `process_group` has the
    rank and the number of ranks, and exchanges other values between ranks; a `TrainingLoop` uses it.

    Args:
        module: The Module, the same in all ranks.
        comm: The communicator of the ranks. Default: all ranks.
        bucket_bytes: The number of bytes sent at a time.
        overlap: Whether buckets are sent while backward runs. Otherwise all are sent after it.
        broadcast_buffers: Whether buffers (BatchNorm's running means) become those of rank 0 after every forward in
            training.
        all_reduce: A function that replaces MPI's, for example `ring_all_reduce`. It is called as `all_reduce(array,
            comm)` and returns when the array holds the sum.
        timeout: How many seconds a rank waits for the others, see `ProcessGroup`.

    Raises:
        MPIMissing: If there is no MPI.
        TypeError: If `module` is not a Module, or `comm` not a communicator.
        ValueError: If no parameter requires a gradient, the module is wrapped already, or `bucket_bytes` is not above
            0.
        RuntimeError: In all ranks, if their models differ; later, if they run forward and backward unequally often.
    """

    def __init__(
        self,
        module: Module,
        comm: Comm | None = None,
        *,
        bucket_bytes: int = 1 << 20,
        overlap: bool = True,
        broadcast_buffers: bool = True,
        all_reduce: Callable | None = None,
        timeout: float | timedelta | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(module, Module):
            raise TypeError(f"DistributedDataParallel needs a Module, got {type(module).__name__}")
        if not bucket_bytes > 0:
            raise ValueError(f"DistributedDataParallel: bucket_bytes must be a number above 0, got {bucket_bytes}")
        parameters = [(name, p) for name, p in module.named_parameters() if p.requires_grad]
        if not parameters:
            raise ValueError(
                f"DistributedDataParallel: no parameter of the {type(module).__name__} requires a gradient"
            )
        if any(_HOOK in parameter.creator.backward_hooks for _, parameter in parameters):
            raise ValueError(
                f"DistributedDataParallel: the {type(module).__name__} is wrapped already; close() its wrapper first"
            )
        comm = mpi().COMM_WORLD if comm is None else comm
        if not isinstance(comm, mpi().Comm):
            raise TypeError(
                f"DistributedDataParallel: comm must be a communicator of mpi4py or None, got {type(comm).__name__}"
            )
        self.module = module
        self.process_group = group_of(comm, timeout)
        options = f"bucket_bytes={bucket_bytes}, broadcast_buffers={bool(broadcast_buffers)}"
        options += "" if all_reduce is None else ", all_reduce of one's own"
        check_same_model(self.process_group, module, options)
        self.process_group.models += 1
        self._what = f"model {self.process_group.models}, a {type(module).__name__[:60]}"  # messages are short
        self.broadcast_buffers = broadcast_buffers
        self._broadcast([parameter.data for parameter in module.parameters()])
        self._broadcast(list(module.buffers()))
        buckets = fill_buckets(parameters, bucket_bytes)
        self._reducer = _Reducer(buckets, self.process_group, self._what, overlap, all_reduce)

    def forward(self, *input: Any, **named: Any) -> Any:
        """Return the result of the module for this rank's input.

        Args:
            *input: The arguments of the module.
            **named: Its keyword arguments.
        """
        self._reducer.recover()
        self._reducer.forwards += 1
        output = self.module(*input, **named)
        # After the forward, so that they are the same in all ranks whenever the model is evaluated or saved.
        if self.broadcast_buffers and self.training and self._reducer.is_synchronizing:
            self._broadcast(list(self.module.buffers()))
        if any(variable.requires_grad for variable in variables_in(output)):
            self._reducer.expects_backward = True
        else:
            self._reducer.forwards -= 1
        return output

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        """Accumulate gradients in each rank separately within the block; the next backward after it averages the sums.

        with model.no_sync():
            criterion(model(first_half), first_target).backward()
        criterion(model(second_half), second_target).backward()
        """
        outer = self._reducer.is_synchronizing
        self._reducer.is_synchronizing = False
        try:
            yield
        finally:
            self._reducer.is_synchronizing = outer

    @property
    def buckets(self) -> list[list[str]]:
        """The names of the parameters in each bucket, in the order of sending."""
        return [list(bucket.names) for bucket in self._reducer.buckets]

    def listen(self, listener: Callable[[str, int], Any] | None) -> None:
        """Register a function that is called when a bucket is ready, starts and ends.

        Args:
            listener: Called as `listener(event, bucket number)`, where the event is "ready", "start" or "end". None
                removes it.
        """
        self._reducer.listener = listener

    def close(self) -> None:
        """Remove the hooks from the module, which can then be used without this wrapper.

        All ranks must call it together. A second call does nothing.
        """
        if self._reducer.detach.alive:
            self._reducer.detach()
            self._reducer.comm.Free()

    def _state(self, prefix=""):
        return self.module._state(prefix)

    def _broadcast(self, tensors):
        """Copy the elements of rank 0 into `tensors`, in place."""
        if not tensors:
            return
        arrays = [tensor.array for tensor in tensors]
        what = f"the parameters and buffers of {self._what}"
        for tensor, array in zip(tensors, self.process_group.broadcast_arrays(arrays, what)):
            if self.process_group.rank != 0:
                tensor.copy_(wrap(array))


class _Reducer:
    """Collects the gradients of one backward in buckets, and sums the buckets over the ranks.

    A round begins with the first gradient of a backward and ends with the backward. All ranks start the buckets in the
    order of their numbers, because MPI matches collective operations by their order.
    """

    def __init__(self, buckets, process_group, name, overlap, all_reduce):
        self.buckets = buckets
        self.group = process_group
        self.comm = process_group.duplicate(process_group.comm)  # for the gradients alone
        self.what = f"the gradients of {name}"
        # Forwards whose output requires a gradient, and backwards that ended. Ranks with the same numbers are in step.
        self.forwards = self.backwards = 0
        self.overlap = overlap
        self.all_reduce = all_reduce
        self.is_synchronizing = True
        self.expects_backward = False  # whether there was a forward since the last round
        self.is_open = False  # whether a gradient of this round has arrived
        self.is_reached = False  # whether one of this backward has
        self.listener = None
        self._next = 0  # the number of the bucket to start next
        self._under_way = []
        self._attach()

    def _attach(self):
        # A weak reference, so that the hooks do not keep a model alive.
        this = weakref.ref(self)

        def backward_ended(root):
            if this() is not None:
                this().backward_ended()

        handles = [
            parameter.creator.register_hook(_HOOK, _hook(this, bucket.number, place))
            for bucket in self.buckets
            for place, parameter in enumerate(bucket.parameters)
        ]
        callbacks.backward_ended.register(backward_ended)
        self.detach = weakref.finalize(self, _detach, handles, backward_ended)
        self.detach.atexit = False

    def gradient_is_ready(self, bucket, place, grad):
        """Put a gradient into its bucket, before the Leaf adds it to the `grad` of its Variable."""
        self._check(bucket, place, grad)
        self.is_reached = bucket.touched[place] = True
        if not self.is_synchronizing:
            return
        if bucket.arrived[place]:
            # A backward inside this one, as of a checkpoint, has reached the same parameter. The average of a sum is
            # the sum of the averages, so the gradients so far become a separate round.
            self.end_round()
            bucket.touched[place] = True
        self.is_open = True
        bucket.put(place, grad.array)
        if bucket.is_complete():
            self._tell("ready", bucket)
        if self.overlap:
            while self._next < len(self.buckets) and self.buckets[self._next].is_complete():
                self._start(self.buckets[self._next])
            self._push_on()

    def backward_ended(self):
        """Send and average what this backward computed, unless under no_sync."""
        self.end_round()
        if self.expects_backward or self.is_reached:
            self.backwards += 1
            self.expects_backward = self.is_reached = False

    def end_round(self):
        """Send the remaining buckets, wait for the sums and write the averages; do nothing if no round has begun."""
        if not self.is_synchronizing or not (self.is_open or self.expects_backward):
            return
        self._finish()
        for bucket in self.buckets:
            bucket.write_averages(self.group.size)
        self._reset()

    def recover(self):
        """Complete the messages of a backward that an exception interrupted; called before each forward."""
        if self.is_open:
            self._finish(", interrupted")
            self._reset()

    def _step(self):
        return f", forward {self.forwards}, backward {self.backwards + 1}"

    def _finish(self, how=""):
        while self._next < len(self.buckets):
            self._start(self.buckets[self._next])
        self.group.barrier(self.what, f"{self._step()}{how}")  # now all ranks are known to send gradients of this model
        while self._under_way:
            bucket = self._under_way[0]
            self.group.wait([bucket.request])
            self._ended(bucket)

    def _reset(self):
        for bucket in self.buckets:
            bucket.open()
        self._next = 0
        self.is_open = False

    def _start(self, bucket):
        bucket.complete()
        self._next += 1
        if self.all_reduce is not None:
            # A user's all_reduce does not compare what the ranks do.
            self.group.barrier(f"{self.what}, bucket {bucket.number}", self._step())
        self._tell("start", bucket)
        if self.all_reduce is not None:
            self.all_reduce(bucket.buffer, self.comm)
            self._tell("end", bucket)
            return
        MPI = mpi()
        bucket.request = self.comm.Iallreduce(MPI.IN_PLACE, bucket.buffer, op=MPI.SUM)
        self._under_way.append(bucket)

    def _push_on(self):
        """Let MPI continue pending operations: most MPIs move data only while one of their functions is called."""
        for bucket in list(self._under_way):
            if bucket.request.Test():
                self._ended(bucket)

    def _ended(self, bucket):
        self._under_way.remove(bucket)
        self._tell("end", bucket)

    def _tell(self, event, bucket):
        if self.listener is not None:
            self.listener(event, bucket.number)
        if "legacy_autograd.drawing.trace" in sys.modules:  # otherwise no trace is recorded
            from ..drawing import note

            name = f"bucket {bucket.number} ({', '.join(bucket.names)})"
            sentence, state = _WORDS[event]
            note(sentence.format(name), name, state)

    def _check(self, bucket, place, grad):
        if isinstance(grad, Variable):
            raise RuntimeError(
                "DistributedDataParallel: create_graph=True needs the derivative of a sum over the ranks, which "
                "legacy_autograd does not have; use torch.autograd.grad, or the module without the wrapper"
            )
        if grad.array.shape != bucket.shapes[place] or grad.array.dtype != bucket.dtype:
            raise RuntimeError(
                f"DistributedDataParallel: the parameter {bucket.names[place]} has changed its size or type since it "
                "was wrapped; convert the module before wrapping it"
            )


_WORDS = {
    "ready": ("All gradients of {} have arrived.", "full"),
    "start": ("The all-reduce of {} starts.", "its all-reduce is running"),
    "end": ("The all-reduce of {} has ended.", "its all-reduce has ended"),
}


def _hook(reducer, number, place):
    def hook(grad_input, grad_output):
        this = reducer()
        if this is not None:
            this.gradient_is_ready(this.buckets[number], place, grad_output[0])

    return hook


def _detach(handles, listener):
    for handle in handles:
        handle.remove()
    callbacks.backward_ended.remove(listener)
