"""The check that all ranks have the same model. Without it the gradients of different parameters could be summed."""

from ..tensor.messages import shown


def check_same_model(process_group, module, options):
    """Raise RuntimeError in every rank if a rank's `module` or `options` (a string) differ from those of rank 0."""
    description = [f"options {options}", *_described(module)]
    descriptions = process_group.gather(description, "its DistributedDataParallel")
    first = descriptions[0]
    for rank, other in enumerate(descriptions):
        for place in range(max(len(first), len(other))):
            here, there = (lines[place] if place < len(lines) else "nothing" for lines in (first, other))
            if here != there:
                raise RuntimeError(
                    "DistributedDataParallel: the ranks have different models. The first difference: rank 0 has "
                    f"{here}, and rank {rank} has {there}. All ranks must make the same module in the same order"
                )


def _described(module):
    for name, parameter in module.named_parameters():
        words = "parameter" if parameter.requires_grad else "parameter without gradient"
        yield f"{words} {name}, {shown(parameter.data)}"
    for name, buffer in module.named_buffers():
        yield f"buffer {name}, {shown(buffer)}"
