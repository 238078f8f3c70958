"""The programs without layers. They are the same text for every library that overloads the operators."""


def chain(operations, x, c, d):
    for _ in range(operations // 2):
        x = x * c + d
    return x


def fan_out(x, factors, total):
    for factor in factors:
        total = total + x * factor
    return total


def doubling(z, depth):
    for _ in range(depth):
        z = z + z
    return z
