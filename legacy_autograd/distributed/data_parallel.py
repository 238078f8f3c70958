"""`DistributedDataParallel`: the average of all ranks' gradients, through the hooks of the leaves.

When a parameter's gradient is ready its Leaf calls the hook that was registered here, the gradient goes into a bucket,
and a full bucket starts on its way to the other ranks while backward goes on. When backward ends, the rest is sent,
and once all sums are there every rank writes the same averages into `grad`. PyTorch had a DistributedDataParallel from
0.2 (August 2017), with buckets that start in one order in all processes from 1.0 (pull request 8584), and `no_sync`
from 1.2 (21736). The hooks are those that a Leaf had in v0.1.1.
"""

import contextlib
import sys
import weakref

from ..autograd import callbacks
from ..autograd.variable import Variable
from ..nn import Module
from ..nn.hooks import variables_in
from ..tensor.base import wrap
from ._mpi import mpi
from .bucket import fill_buckets
from .consistency import check_same_model
from .process_group import group_of

_HOOK = "DistributedDataParallel"


class DistributedDataParallel(Module):
    """`module`, in every rank of `comm` (all of them if it is None), with gradients that are the average of all ranks'.

        model = DistributedDataParallel(LeNet())
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        loss = criterion(model(input), target)   # of this rank's share of the batch
        loss.backward()                          # every rank has the same gradients now
        optimizer.step()

    Construction gives all ranks the parameters and buffers of rank 0. Where the loss is a mean and the shares are of
    equal size, the average is the gradient of the mean over the whole batch: training equals that of one process.

    `bucket_bytes` is how much is sent at a time. `overlap=False` sends nothing before backward has ended. With
    `broadcast_buffers`, buffers (BatchNorm's running means) become those of rank 0 after every forward in training.
    `all_reduce`, for instance `ring_all_reduce`, is called as `all_reduce(array, comm)` in place of MPI's own, and
    returns when the array holds the sum. `timeout` is how long a rank waits for the others: see `ProcessGroup`.

    Every rank runs forward and backward equally often; if not, all raise RuntimeError. A parameter that a rank does
    not use counts as a gradient of zeros; the `grad` of one that no rank uses stays as it is. `state_dict` is the
    module's, so that a checkpoint of several ranks serves one process too. `process_group` says which rank this is of
    how many, and has what else the ranks tell each other; a `Trainer` asks it.

    Raises MPIMissing where there is no MPI, TypeError if `module` is no Module, ValueError if no parameter requires a
    gradient or the module is wrapped already, RuntimeError in all ranks if their models differ.
    """

    def __init__(
        self,
        module,
        comm=None,
        *,
        bucket_bytes=1 << 20,
        overlap=True,
        broadcast_buffers=True,
        all_reduce=None,
        timeout=None,
    ):
        super().__init__()
        if not isinstance(module, Module):
            raise TypeError(f"DistributedDataParallel needs a Module, got {type(module).__name__}")
        if not bucket_bytes > 0:
            raise ValueError(f"DistributedDataParallel: bucket_bytes is a number above 0, got {bucket_bytes}")
        parameters = [(name, p) for name, p in module.named_parameters() if p.requires_grad]
        if not parameters:
            raise ValueError(
                f"DistributedDataParallel: no parameter of the {type(module).__name__} requires a gradient"
            )
        if any(_HOOK in parameter.creator.backward_hooks for _, parameter in parameters):
            raise ValueError(
                f"DistributedDataParallel: the {type(module).__name__} is wrapped in another one; close() that first"
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
        self._what = f"model {self.process_group.models}, a {type(module).__name__}"
        self.broadcast_buffers = broadcast_buffers
        self._broadcast([parameter.data for parameter in module.parameters()])
        self._broadcast(list(module.buffers()))
        buckets = fill_buckets(parameters, bucket_bytes)
        self._reducer = _Reducer(buckets, self.process_group, self._what, overlap, all_reduce)

    def forward(self, *input, **named):
        """What the module makes of this rank's input."""
        self._reducer.recover()
        output = self.module(*input, **named)
        # Afterwards, so that they are the same in all ranks when the program evaluates or saves the model.
        if self.broadcast_buffers and self.training and self._reducer.is_synchronizing:
            self._broadcast(list(self.module.buffers()))
        if any(variable.requires_grad for variable in variables_in(output)):
            self._reducer.expects_backward = True
        return output

    @contextlib.contextmanager
    def no_sync(self):
        """Within the block gradients add up in each rank alone; the next backward outside of it averages the sums.

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
    def buckets(self):
        """The names of the parameters in each bucket, in the order in which the buckets are sent."""
        return [list(bucket.names) for bucket in self._reducer.buckets]

    def listen(self, listener):
        """Register `listener(event, bucket number)`; events are ready, start and end of a bucket. None: no listener."""
        self._reducer.listener = listener

    def close(self):
        """Take the hooks out of the module, which is an ordinary one again. All ranks do this together.

        A second call does nothing.
        """
        if self._reducer.detach.alive:
            self._reducer.detach()
            self._reducer.comm.Free()

    def _state(self, prefix=""):
        return self.module._state(prefix)

    def _broadcast(self, tensors):
        """Make `tensors` those of rank 0, in place."""
        if not tensors:
            return
        arrays = [tensor.array for tensor in tensors]
        what = f"the parameters and buffers of {self._what}"
        for tensor, array in zip(tensors, self.process_group.broadcast_arrays(arrays, what)):
            if self.process_group.rank != 0:
                tensor.copy_(wrap(array))


class _Reducer:
    """Collects the gradients of one backward in buckets, and has the buckets summed over the ranks.

    A round begins with the first gradient of a backward and ends with it. Buckets are started in the order of their
    numbers, in every rank, because MPI matches collective operations by their order.
    """

    def __init__(self, buckets, process_group, name, overlap, all_reduce):
        self.buckets = buckets
        self.group = process_group
        self.comm = process_group.duplicate(process_group.comm)  # of its own: it carries nothing else
        self.what = f"the gradients of {name}"
        self.overlap = overlap
        self.all_reduce = all_reduce
        self.is_synchronizing = True
        self.expects_backward = False  # was there a forward since the last round?
        self.is_open = False  # has a gradient of this round arrived?
        self.listener = None
        self._next = 0  # the number of the bucket to start next
        self._under_way = []
        self._attach()

    def _attach(self):
        # Weakly, so that a model that is dropped takes its hooks along, and not the other way round.
        this = weakref.ref(self)

        def backward_ended(root):
            if this() is not None:
                this().end_round()

        handles = [
            parameter.creator.register_hook(_HOOK, _hook(this, bucket.number, place))
            for bucket in self.buckets
            for place, parameter in enumerate(bucket.parameters)
        ]
        callbacks.backward_ended.register(backward_ended)
        self.detach = weakref.finalize(self, _detach, handles, backward_ended)
        self.detach.atexit = False

    def gradient_is_ready(self, bucket, place, grad):
        """What the hook of a Leaf does, before the Leaf adds `grad` to the `grad` of its Variable."""
        self._check(bucket, place, grad)
        bucket.touched[place] = True
        if not self.is_synchronizing:
            return
        if bucket.arrived[place]:
            # A backward inside of this one, as a checkpoint starts it, has come to the same parameter. The average of
            # a sum is the sum of the averages: what there is becomes a round of its own.
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

    def end_round(self):
        """Send the remaining buckets, wait for the sums, write the averages. Has no effect if no round has started."""
        if not self.is_synchronizing or not (self.is_open or self.expects_backward):
            return
        self._finish()
        for bucket in self.buckets:
            bucket.write_averages(self.group.size)
        self._reset()

    def recover(self):
        """Before a forward: if the last backward broke off with an exception, take its messages off the wire."""
        if self.is_open:
            self._finish()
            self._reset()

    def _finish(self):
        while self._next < len(self.buckets):
            self._start(self.buckets[self._next])
        self.group.barrier(self.what)  # only now is it sure that the others send gradients of this model as well
        while self._under_way:
            bucket = self._under_way[0]
            self.group.wait([bucket.request])
            self._ended(bucket)

    def _reset(self):
        for bucket in self.buckets:
            bucket.open()
        self._next = 0
        self.is_open = self.expects_backward = False

    def _start(self, bucket):
        bucket.complete()
        self._next += 1
        if self.all_reduce is not None:
            self.group.barrier(f"{self.what}, bucket {bucket.number}")  # its messages are not compared
        self._tell("start", bucket)
        if self.all_reduce is not None:
            self.all_reduce(bucket.buffer, self.comm)
            self._tell("end", bucket)
            return
        MPI = mpi()
        bucket.request = self.comm.Iallreduce(MPI.IN_PLACE, bucket.buffer, op=MPI.SUM)
        self._under_way.append(bucket)

    def _push_on(self):
        """Let MPI progress the pending sums: most MPIs move data only while one of their functions is called."""
        for bucket in list(self._under_way):
            if bucket.request.Test():
                self._ended(bucket)

    def _ended(self, bucket):
        self._under_way.remove(bucket)
        self._tell("end", bucket)

    def _tell(self, event, bucket):
        if self.listener is not None:
            self.listener(event, bucket.number)
        if "legacy_autograd.drawing.trace" in sys.modules:  # otherwise no trace can be recording
            from ..drawing import note

            name = f"bucket {bucket.number} ({', '.join(bucket.names)})"
            sentence, state = _WORDS[event]
            note(sentence.format(name), name, state)

    def _check(self, bucket, place, grad):
        if isinstance(grad, Variable):
            raise RuntimeError(
                "DistributedDataParallel: create_graph=True would need the derivative of a sum over the ranks, which "
                "does not exist here; use torch.autograd.grad, or the module without the wrapper"
            )
        if grad.array.shape != bucket.shapes[place] or grad.array.dtype != bucket.dtype:
            raise RuntimeError(
                f"DistributedDataParallel: the parameter {bucket.names[place]} has changed its size or type since it "
                "was wrapped; convert the module first, and wrap it then"
            )


_WORDS = {
    "ready": ("All gradients of {} have arrived.", "full"),
    "start": ("The all-reduce of {} starts.", "its all-reduce is under way"),
    "end": ("The all-reduce of {} is seen to have ended.", "its all-reduce has ended"),
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
