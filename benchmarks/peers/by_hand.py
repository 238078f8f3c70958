"""The workloads in NumPy with the derivatives written by hand: no graph, the cost of the arithmetic alone."""

import numpy


def _measured(compute):
    """Provides `step` and `read` for a function that returns the gradients."""
    found = None

    def step():
        nonlocal found
        found = compute()

    return step, lambda: [numpy.array(array) for array in found]


def chain(operations, x, c, d):
    def compute():
        h, before = x, []
        for _ in range(operations // 2):
            before.append(h)
            h = h * c + d
        grad, grad_c, grad_d = numpy.ones(1), numpy.zeros(1), numpy.zeros(1)
        for h in reversed(before):
            grad_d = grad_d + grad
            grad_c = grad_c + grad * h
            grad = grad * c
        return grad, grad_c, grad_d

    return _measured(compute)


def chain_with_constants(operations, x, c, d):
    def compute():
        h = x
        for _ in range(operations // 2):
            h = h * c + d
        grad = numpy.ones(1)
        for _ in range(operations // 2):
            grad = grad * c
        return (grad,)

    return _measured(compute)


def fan_out(x, factors):
    def compute():
        total = numpy.zeros(1)
        for factor in factors:
            total = total + x * factor
        grad, grad_x, grad_factors = numpy.ones(1), numpy.zeros(1), []
        for factor in factors:
            grad_x = grad_x + grad * factor
            grad_factors.append(grad * x)
        return (grad_x,)

    return _measured(compute)


def doubling(x, depth):
    def compute():
        z = x
        for _ in range(depth):
            z = z + z
        grad = numpy.ones(1)
        for _ in range(depth):
            grad = grad + grad
        return (grad,)

    return _measured(compute)


def _cross_entropy(scores, y):
    """Return the mean cross entropy and its gradient with respect to the scores."""
    rows = numpy.arange(len(y))
    shifted = scores - scores.max(1, keepdims=True)
    logarithms = shifted - numpy.log(numpy.exp(shifted).sum(1, keepdims=True))
    grad = numpy.exp(logarithms)
    grad[rows, y] -= 1
    grad /= len(y)
    return -logarithms[rows, y].mean(), grad


def _training(compute, parameters, rate):
    """`compute` takes the list of parameters and returns their gradients, in that order."""
    parameters = [array.copy() for array in parameters]
    gradients = None

    def step():
        nonlocal gradients
        gradients = compute(parameters)
        for parameter, gradient in zip(parameters, gradients):
            parameter -= rate * gradient

    return step, lambda: [numpy.array(array) for array in (*gradients, *parameters)]


def regressor(parameters, x, y, rate):
    def compute(parameters):
        w1, b1, w2, b2 = parameters
        h = numpy.maximum(x @ w1.T + b1, 0)
        error = h @ w2.T + b2 - y
        _loss = (error * error).mean()
        grad = error * (2 / error.size)
        grad_h = (grad @ w2) * (h > 0)
        return grad_h.T @ x, grad_h.sum(0), grad.T @ h, grad.sum(0)

    return _training(compute, parameters, rate)


def classifier(parameters, x, y, rate):
    def compute(parameters):
        w1, b1, w2, b2, w3, b3 = parameters
        h1 = numpy.maximum(x @ w1.T + b1, 0)
        h2 = numpy.maximum(h1 @ w2.T + b2, 0)
        _loss, grad = _cross_entropy(h2 @ w3.T + b3, y)
        grad_h2 = (grad @ w3) * (h2 > 0)
        grad_h1 = (grad_h2 @ w2) * (h1 > 0)
        return grad_h1.T @ x, grad_h1.sum(0), grad_h2.T @ h1, grad_h2.sum(0), grad.T @ h2, grad.sum(0)

    return _training(compute, parameters, rate)


def linear_regression(w, x, y, rate):
    def compute(parameters):
        error = parameters[0].dot(x) - y
        _loss = numpy.abs(error).sum()
        return (numpy.sign(error).dot(x.T),)

    return _training(compute, [w], rate)


def _columns(x, kernel):
    """Return im2col: for each image a matrix with a row for each number of a window, and a column for each position."""
    n, c, h, w = x.shape
    h, w = h - kernel + 1, w - kernel + 1
    columns = numpy.empty((n, c, kernel, kernel, h, w), x.dtype)
    for i in range(kernel):
        for j in range(kernel):
            columns[:, :, i, j] = x[:, :, i : i + h, j : j + w]
    return columns.reshape(n, c * kernel * kernel, h * w), h, w


def _convolve(x, weight, bias):
    columns, h, w = _columns(x, weight.shape[2])
    out = weight.reshape(len(weight), -1) @ columns
    out += bias[:, None]
    return out.reshape(len(x), -1, h, w), columns


def _convolve_backward(grad, columns, x, weight, want_input):
    n, filters, h, w = grad.shape
    grad = grad.reshape(n, filters, h * w)
    grad_weight = (grad @ columns.transpose(0, 2, 1)).sum(0).reshape(weight.shape)
    grad_bias, grad_x = grad.sum((0, 2)), None
    if want_input:
        kernel = weight.shape[2]
        spread = (weight.reshape(filters, -1).T @ grad).reshape(n, x.shape[1], kernel, kernel, h, w)
        grad_x = numpy.zeros_like(x)
        for i in range(kernel):
            for j in range(kernel):
                grad_x[:, :, i : i + h, j : j + w] += spread[:, :, i, j]
    return grad_weight, grad_bias, grad_x


_CORNERS = [(slice(i, None, 2), slice(j, None, 2)) for i in (0, 1) for j in (0, 1)]


def _pool(x):
    """Return the largest number of each 2x2 window, and its index in the window (the first of equals)."""
    largest, where = x[:, :, ::2, ::2].copy(), numpy.zeros(x[:, :, ::2, ::2].shape, numpy.int8)
    for number, (rows, columns) in enumerate(_CORNERS[1:], 1):
        corner = x[:, :, rows, columns]
        where[corner > largest] = number
        numpy.maximum(largest, corner, largest)
    return largest, where


def _pool_backward(grad, where):
    n, c, h, w = grad.shape
    out = numpy.empty((n, c, 2 * h, 2 * w), grad.dtype)
    for number, (rows, columns) in enumerate(_CORNERS):
        out[:, :, rows, columns] = grad * (where == number)
    return out


def lenet(parameters, x, y, rate):
    def compute(parameters):
        w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = parameters
        h1, columns1 = _convolve(x, w1, b1)
        p1, where1 = _pool(numpy.maximum(h1, 0))
        h2, columns2 = _convolve(p1, w2, b2)
        p2, where2 = _pool(numpy.maximum(h2, 0))
        flat = p2.reshape(len(x), -1)
        h3 = numpy.maximum(flat @ w3.T + b3, 0)
        h4 = numpy.maximum(h3 @ w4.T + b4, 0)
        _loss, grad = _cross_entropy(h4 @ w5.T + b5, y)

        grad_h4 = (grad @ w5) * (h4 > 0)
        grad_h3 = (grad_h4 @ w4) * (h3 > 0)
        grad_h2 = _pool_backward((grad_h3 @ w3).reshape(p2.shape), where2) * (h2 > 0)
        grad_w2, grad_b2, grad_p1 = _convolve_backward(grad_h2, columns2, p1, w2, True)
        grad_h1 = _pool_backward(grad_p1, where1) * (h1 > 0)
        grad_w1, grad_b1, _ = _convolve_backward(grad_h1, columns1, x, w1, False)
        of_linear = [grad_h3.T @ flat, grad_h3.sum(0), grad_h4.T @ h3, grad_h4.sum(0), grad.T @ h4, grad.sum(0)]
        return [grad_w1, grad_b1, grad_w2, grad_b2, *of_linear]

    return _training(compute, parameters, rate)


def double_backward(w1, b1, w2, b2, x, y):
    """Return the gradient with respect to w1 of the squared norm of the loss's gradient with respect to x."""

    def compute():
        n = len(x)
        h = numpy.tanh(x @ w1 + b1)
        slope = 1 - h * h
        error = h @ w2 + b2 - y
        scale = error * (2 / n)
        back = scale * w2.T * slope  # the gradient with respect to the pre-activation
        grad_x = back @ w1.T
        of_grad_x = 2 * grad_x
        of_back = of_grad_x @ w1
        of_scale = (of_back * w2.T * slope).sum(1, keepdims=True)
        of_slope = of_back * scale * w2.T
        of_h = -2 * h * of_slope + (of_scale * (2 / n)) @ w2.T
        of_pre = of_h * slope
        return (of_grad_x.T @ back + x.T @ of_pre,)

    return _measured(compute)
