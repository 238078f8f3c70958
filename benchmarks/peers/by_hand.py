"""The same work in numpy with the derivatives written out by hand: what a programmer without autodiff would write."""

import numpy


def to_numpy(gradients):
    return list(gradients)


def chain(operations, x, c, d):
    def step():
        h, factor, term = numpy.array([x]), numpy.array([c]), numpy.array([d])
        before = []
        for _ in range(operations // 2):
            before.append(h)
            h = h * factor
            h = h + term
        grad, grad_c, grad_d = numpy.ones(1), numpy.zeros(1), numpy.zeros(1)
        for h in reversed(before):
            grad_d = grad_d + grad
            grad_c = grad_c + grad * h
            grad = grad * factor
        return grad, grad_c, grad_d

    return step


def chain_forward(operations, x, c, d):
    def step():
        h, factor, term = numpy.array([x]), numpy.array([c]), numpy.array([d])
        before = []
        for _ in range(operations // 2):
            before.append(h)
            h = h * factor
            h = h + term
        return (h,)

    return step


def fan_out(x, factors):
    def step():
        total = numpy.zeros(1)
        for factor in factors:
            total = total + x * factor
        grad, grad_x, grad_factors = numpy.ones(1), numpy.zeros(1), []
        for factor in reversed(factors):
            grad_x = grad_x + grad * factor
            grad_factors.append(grad * x)
        return (grad_x,)

    return step


def doubling(x, depth):
    def step():
        z = x
        for _ in range(depth):
            z = z + z
        grad = numpy.ones(1)
        for _ in range(depth):
            grad = grad + grad
        return (grad,)

    return step


def _log_softmax(x):
    shifted = x - x.max(1, keepdims=True)
    return shifted - numpy.log(numpy.exp(shifted).sum(1, keepdims=True))


def _of_cross_entropy(scores, y):
    """The gradient of the mean cross entropy with respect to the scores."""
    grad = numpy.exp(_log_softmax(scores))
    grad[numpy.arange(len(y)), y] -= 1
    grad /= len(y)
    return grad


def perceptron(layers, x, y, rate):
    layers = [(w.copy(), b.copy()) for w, b in layers]

    def step():
        h, inputs = x, []
        for w, b in layers:
            inputs.append(h)
            h = numpy.maximum(h @ w + b, 0) if w is not layers[-1][0] else h @ w + b
        _loss = -_log_softmax(h)[numpy.arange(len(y)), y].mean()
        grad = _of_cross_entropy(h, y)
        gradients = []
        for (w, _), h in zip(reversed(layers), reversed(inputs)):
            gradients += [grad.sum(0), h.T @ grad]
            if h is not x:
                grad = (grad @ w.T) * (h > 0)
        for (w, b), grad_b, grad_w in zip(reversed(layers), gradients[::2], gradients[1::2]):
            w -= rate * grad_w
            b -= rate * grad_b
        return gradients[::-1]

    return step


def small_perceptron(layers, x, y, rate):
    (w1, b1), (w2, b2) = [(w.copy(), b.copy()) for w, b in layers]

    def step():
        h = numpy.tanh(x @ w1 + b1)
        error = h @ w2 + b2 - y
        _loss = (error * error).mean()
        grad = error * (2 / error.size)
        grad_w2, grad_b2 = h.T @ grad, grad.sum(0)
        grad = (grad @ w2.T) * (1 - h * h)
        grad_w1, grad_b1 = x.T @ grad, grad.sum(0)
        for parameter, gradient in ((w1, grad_w1), (b1, grad_b1), (w2, grad_w2), (b2, grad_b2)):
            parameter -= rate * gradient
        return grad_w1, grad_b1, grad_w2, grad_b2

    return step


def regression(w, x, y, rate):
    w = w.copy()

    def step():
        nonlocal w
        error = w.dot(x) - y
        _loss = numpy.abs(error).sum()
        grad = numpy.sign(error).dot(x.T)
        w = w - grad * rate
        return (grad,)

    return step


def _columns(x, kernel):
    """im2col: for each image a matrix with a row for each number of a window, and a column for each place."""
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
    """The largest of each 2x2 window, and which of the four it was (the first of equals)."""
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


def lenet(weights, biases, x, y, rate):
    weights, biases = [w.copy() for w in weights], [b.copy() for b in biases]

    def step():
        h1, columns1 = _convolve(x, weights[0], biases[0])
        p1, where1 = _pool(numpy.maximum(h1, 0))
        h2, columns2 = _convolve(p1, weights[1], biases[1])
        p2, where2 = _pool(numpy.maximum(h2, 0))
        flat = p2.reshape(len(x), -1)
        h3 = numpy.maximum(flat @ weights[2].T + biases[2], 0)
        h4 = numpy.maximum(h3 @ weights[3].T + biases[3], 0)
        scores = h4 @ weights[4].T + biases[4]
        _loss = -_log_softmax(scores)[numpy.arange(len(y)), y].mean()

        grad = _of_cross_entropy(scores, y)
        grads = {4: (grad.T @ h4, grad.sum(0))}
        grad = (grad @ weights[4]) * (h4 > 0)
        grads[3] = grad.T @ h3, grad.sum(0)
        grad = (grad @ weights[3]) * (h3 > 0)
        grads[2] = grad.T @ flat, grad.sum(0)
        grad = _pool_backward((grad @ weights[2]).reshape(p2.shape), where2) * (h2 > 0)
        grads[1] = _convolve_backward(grad, columns2, p1, weights[1], True)
        grad = _pool_backward(grads[1][2], where1) * (h1 > 0)
        grads[0] = _convolve_backward(grad, columns1, x, weights[0], False)
        for number in range(5):
            weights[number] -= rate * grads[number][0]
            biases[number] -= rate * grads[number][1]
        return [grads[number][part] for number in range(5) for part in (0, 1)]

    return step


def second_derivative(layers, x, y, rate):
    """The gradient with respect to w1 of the squared norm of the loss's gradient with respect to x."""
    (w1, b1), (w2, b2) = layers

    def step():
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

    return step


def convolution(x, weight, padding):
    def step():
        padded = numpy.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
        out, columns = _convolve(padded, weight, numpy.zeros(len(weight), x.dtype))
        grad_weight, _, grad_x = _convolve_backward(numpy.ones_like(out), columns, padded, weight, True)
        inner = slice(padding, grad_x.shape[2] - padding)
        return grad_x[:, :, inner, inner], grad_weight

    return step


def max_pooling(x):
    def step():
        out, where = _pool(x)
        return (_pool_backward(numpy.ones_like(out), where),)

    return step


def loading(x, y):
    random = numpy.random.default_rng(0)

    def step():
        order = random.permutation(len(x))
        count = 0
        for start in range(0, len(x), 64):
            batch = order[start : start + 64]
            count += len(x[batch]) + 0 * len(y[batch])
        return (numpy.array([count]),)

    return step
