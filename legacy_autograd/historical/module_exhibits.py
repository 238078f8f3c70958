"""Programs that failed in v0.1.1's `nn` and `optim`. The comments derive v0.1.1's number by hand."""

from .exhibit import exhibit

__all__ = ["a_sequential_without_names", "a_target_by_default", "no_dampening", "ten_times_a_loss"]


@exhibit("G1", "v0.1.2 (f45213a276)")
def a_sequential_without_names(autograd):
    """Sequential without names

    Only named modules are in the set that parameters() uses, so an optimizer trains none of the others.
    """
    nn = autograd.nn
    unnamed = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    named = nn.Sequential("first", nn.Linear(2, 2), "second", nn.Linear(2, 1))
    return {"unnamed": len(list(unnamed.parameters())), "named": len(list(named.parameters()))}


@exhibit("G2", "v0.1.5 (99de537a2e; fb39971464 of v0.1.3 raised instead)")
def ten_times_a_loss(autograd):
    """ten times a loss

    A criterion's backward does not read its incoming gradient, so ten times a loss has the gradient of the loss itself.
    """
    (x,) = autograd.leaves(3)
    target = autograd.variable([1.0], requires_grad=False)
    loss = autograd.nn.AbsCriterion()(x, target)
    (loss * 10).backward()
    # The 10 reaches the criterion, which returns the sign of 3 - 1.
    return {"x.grad": x.grad}


@exhibit("G3", "v0.1.5 (3cbe66ba8c): requires_grad is False by default")
def a_target_by_default(autograd):
    """a target with the default requires_grad

    A Variable requires a gradient by default, but a criterion asserts that its target requires none.
    """
    (x,) = autograd.leaves(3)
    target = autograd.variable([1.0])
    autograd.nn.AbsCriterion()(x, target).backward()
    return {"x.grad": x.grad, "target.grad": target.grad}


@exhibit("G7", "v0.1.3 (9842be4b15)")
def no_dampening(autograd):
    """no dampening

    `dampening or momentum` treats a dampening of 0 as missing, and uses the momentum.
    """
    (x,) = autograd.leaves(0)
    optimizer = autograd.nn.SGD([x], lr=1, momentum=0.5, dampening=0)
    for _ in range(2):
        x.grad.fill_(1)
        optimizer.step()
    # Steps of 1 and then 0.5*1 + (1 - 0.5)*1 = 1; undampened the second is 0.5*1 + 1 = 1.5.
    return {"x": x.data}
