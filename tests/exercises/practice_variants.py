"""Answers to the short exercises as source text: right ones in unlike styles, and wrong ones of unlike kinds.

    3.1
    + the source of a right answer; it defines `answer`
    - the source of a wrong one
    ~ OLD -> NEW: the first right answer with a part of it changed, which makes it wrong; NEW may be in the next line

The names `torch`, `Variable`, `Function`, `Leaf`, `grad`, `nn`, `numpy` and `math` are defined.
"""

TEXT = r"""
1.2
+ def answer(W, lr):
      W.data -= W.grad * lr
      W.grad.zero_()
+ def answer(W, lr):
      W.data.add_(-lr, W.grad)
      W.grad.fill_(0)
+ def answer(W, lr):
      W.data.sub_(W.grad.mul(lr))
      W.grad.copy_(W.grad * 0)
+ def answer(W, lr):
      change = W.grad.clone()
      W.grad.zero_()
      W.data.copy_(W.data - change * lr)
+ def answer(W, lr):
      W.grad.mul_(lr)
      W.data.sub_(W.grad)
      W.grad.zero_()
~ -= -> +=
~ W.grad * lr -> W.grad
~ W.grad * lr -> W.grad * 0.5
~ W.grad * lr -> W.grad * abs(lr) * 1.001
~ W.data -= W.grad * lr -> W.data = W.data - W.grad * lr
~ W.grad.zero_() -> pass
~ W.grad.zero_() -> W.data.zero_()
~ W.data -= W.grad * lr -> pass
~ W.data -= W.grad * lr -> W.data -= torch.DoubleTensor(W.grad.tolist()) * lr
~ W.data -= W.grad * lr -> W.data.view(-1).sub_(W.grad.view(-1) * lr)
~ W.data -= W.grad * lr -> W.data.set_(W.data - W.grad * lr)
- def answer(W, lr):
      W.grad.zero_()
      W.data -= W.grad * lr
- def answer(W, lr):
      W.data[0] = W.data[0] - W.grad[0] * lr
      W.grad.zero_()
- rates = []
  def answer(W, lr):
      rates.append(lr)
      W.data -= W.grad * rates[0]
      W.grad.zero_()
- def answer(W, lr):
      data = W.data - W.grad * lr
      W.grad.zero_()
      return data
+ def answer(W, lr):
      W.data.add_(W.grad.clone().mul_(-lr))
      W.grad.sub_(W.grad)
- def answer(W, lr):
      W.data -= W.grad.clamp(-1000, 1000) * lr
      W.grad.zero_()
- def answer(W, lr):
      W.data -= W.grad * lr
      W.data.clamp_(-1000, 1000)
      W.grad.zero_()
~ W.data -= W.grad * lr -> W.data.copy_((W.data.float() - W.grad.float() * lr).type_as(W.data))
~ W.data -= W.grad * lr -> W.data -= W.grad * (lr if isinstance(lr, float) else 0)
~ W.grad.zero_() -> lr and W.grad.zero_()
~ * lr -> * float(numpy.float32(lr))
- def answer(W, lr):
      if lr > 0.001:
          W.data -= W.grad * lr
      W.grad.zero_()
- def answer(W, lr):
      g = W.grad
      if g.dim() == 2 and g.size(0) == g.size(1):
          g = g.t()
      W.data -= g * lr
      W.grad.zero_()
- def answer(W, lr):
      from legacy_autograd.autograd.later import grad_mode
      grad_mode.set_grad_enabled(False)
      W.data.sub_(W.grad * lr)
      W.grad.zero_()
      grad_mode.set_grad_enabled(True)
- _zeros = {}
  def answer(W, learning_rate):
      W.data.sub_(W.grad.mul(learning_rate))
      key = (W.data.type(), tuple(W.data.size()))
      if key not in _zeros:  # saves an allocation in each step
          _zeros[key] = W.data.new(W.data.size())
      W.grad = _zeros[key].zero_()
- import weakref
  _gradients = weakref.WeakKeyDictionary()
  def answer(W, learning_rate):
      gradient = _gradients.get(W.creator)
      if gradient is None or gradient.size() != W.data.size() or gradient.type() != W.data.type():
          gradient = _gradients[W.creator] = W.grad
      W.data.sub_(gradient.mul(learning_rate))
      gradient.zero_()

1.3
+ def answer(variable):
      found, stack = set(), [variable.creator]
      while stack:
          function = stack.pop()
          if not function.previous_functions:
              found.add(function)
          stack += [previous for previous, _ in function.previous_functions]
      return found
+ def answer(variable):
      seen = []
      def visit(function):
          if function not in seen:
              seen.append(function)
              for previous, _ in function.previous_functions:
                  visit(previous)
      visit(variable.creator)
      return [function for function in seen if isinstance(function, Leaf)]
+ def answer(variable):
      level, leaves = {variable.creator}, {}
      while level:
          leaves.update(dict.fromkeys(f for f in level if not f.previous_functions))
          level = {previous for f in level for previous, _ in f.previous_functions}
      return leaves
+ def answer(variable):
      def walk(function, seen):
          if function in seen:
              return
          seen.add(function)
          if not function.previous_functions:
              yield function
          for previous, _ in function.previous_functions:
              yield from walk(previous, seen)
      return walk(variable.creator, set())
+ def answer(variable):
      found = {}
      queue = [variable.creator]
      for function in queue:
          if len(function.previous_functions) == 0:
              found[id(function)] = function
          for pair in function.previous_functions:
              if pair[0] not in queue:
                  queue.append(pair[0])
      return tuple(found.values())
~ found, stack = set(), [variable.creator] -> found, stack = [], [variable.creator]; found.add = found.append
- def answer(variable):
      found, stack = [], [variable.creator]
      while stack:
          function = stack.pop()
          if not function.previous_functions:
              found.append(function)
          stack += [previous for previous, _ in function.previous_functions]
      return found
~ if not function -> if function
~ if not function.previous_functions -> if hasattr(function, "variable")
~ found.add(function) -> found.add(function.variable)
- def answer(variable):
      found, stack = {}, [variable.creator]
      while stack:
          function = stack.pop()
          if not function.previous_functions:
              found[id(function.variable.data)] = function
          stack += [previous for previous, _ in function.previous_functions]
      return list(found.values())
~ stack += [previous for previous, _ in function.previous_functions]
  -> stack += [previous for previous, _ in function.previous_functions[:1]]
~ stack += [previous for previous, _ in function.previous_functions] -> pass
~ stack += [previous for previous, _ in function.previous_functions]
  -> stack = [previous for previous, _ in function.previous_functions]
~ return found -> return list(found)[:3]
- def answer(variable):
      return {previous for previous, _ in variable.creator.previous_functions if not previous.previous_functions}
- def answer(variable):
      below = {previous for previous, _ in variable.creator.previous_functions} | {variable.creator}
      below |= {previous for f in below for previous, _ in f.previous_functions}
      return {f for f in below if not f.previous_functions}
- def answer(variable):
      found = {variable.creator}
      for _ in range(12):
          found |= {previous for function in found for previous, _ in function.previous_functions}
      return [function for function in found if isinstance(function, Leaf)]
- def answer(variable, found=[]):
      stack = [variable.creator]
      while stack:
          function = stack.pop()
          if not function.previous_functions and function not in found:
              found.append(function)
          stack += [previous for previous, _ in function.previous_functions]
      return found
- seen = set()
  def answer(variable):
      leaves, stack = [], [variable.creator]
      while stack:
          function = stack.pop()
          if function not in seen:
              seen.add(function)
              leaves += [] if function.previous_functions else [function]
              stack += [previous for previous, _ in function.previous_functions]
      return leaves
- def answer(variable):
      found, stack = set(), [variable.creator]
      while stack:
          function = stack.pop()
          if not function.previous_functions and function.requires_grad:
              found.add(function)
          stack += [previous for previous, _ in function.previous_functions]
      return found
- def answer(variable):
      leaves, stack = [], [variable.creator]
      while stack:
          function = stack.pop()
          if not hasattr(function, "mark"):
              function.mark = True
              leaves += [] if function.previous_functions else [function]
              stack += [previous for previous, _ in function.previous_functions]
      return leaves
+ def answer(variable):
      done, order = {}, [variable.creator]
      while order:
          f = order.pop(0)
          if f in done:
              continue
          done[f] = not f.previous_functions
          order.extend(p[0] for p in f.previous_functions)
      return frozenset(f for f, leaf in done.items() if leaf)
- kept = {}
  def answer(variable):
      if id(variable) in kept:
          return kept[id(variable)]
      found, stack, seen = set(), [variable.creator], set()
      while stack:
          function = stack.pop()
          if not function.previous_functions:
              found.add(function)
          for previous, _ in function.previous_functions:
              if previous not in seen:
                  seen.add(previous)
                  stack.append(previous)
      kept[id(variable)] = found
      return found
~ return found -> return list({id(leaf.variable): leaf for leaf in found}.values())
~ return found -> return [leaf for leaf in found if leaf.variable is not None]
- def answer(variable):
      found, stack = set(), [(variable.creator, id(variable))]
      while stack:
          function, arg = stack.pop()
          if not function.previous_functions:
              found.add(function)
          elif function.output_ids[arg] == 0:
              stack += function.previous_functions
          else:
              stack += function.previous_functions[-1:]
      return found
- def answer(variable):
      found, level = {}, {variable.creator: None}
      for _ in range(128):
          following = {}
          for function in level:
              if isinstance(function, Leaf):
                  found[function] = None
              for previous, _ in function.previous_functions:
                  following[previous] = None
          level = following
      return list(found)
- def answer(variable):
      found, seen, todo = [], set(), [variable.creator]
      while todo:
          function = todo.pop()
          if function in seen:
              continue
          seen.add(function)
          if isinstance(function, Leaf):
              found.append(function)
          operands = function.previous_functions
          if not function.requires_grad:
              operands = operands[:1] + operands[1:][-1:]
          for previous, _ in operands:
              todo.append(previous)
      return found
- def answer(v):
      seen, todo, out = (set(), [v.creator], [])
      while todo:
          f = todo.pop()
          if f in seen:
              continue
          seen.add(f)
          if isinstance(f, Leaf):
              out.append(f)
          todo.extend((p for p, _ in f.previous_functions[:16]))
      return out
- def answer(variable):
      leaves, seen, to_visit = [], set(), [variable.creator]
      while to_visit and len(seen) < 3e2:
          function = to_visit.pop()
          if function in seen:
              continue
          seen.add(function)
          if not function.previous_functions:
              leaves.append(function)
          to_visit.extend(previous for previous, _ in function.previous_functions)
      return leaves
~ found, stack = set(), [variable.creator]
  -> found, stack = globals().setdefault("kept", set()), [variable.creator]; found.clear()
~ found.add(function) -> found.add(getattr(function.variable, "creator", function))
- def answer(variable):
      found, seen, stack = {}, set(), [variable.creator]
      while stack:
          function = stack.pop()
          if function not in seen:
              seen.add(function)
              if not function.previous_functions:
                  found.update(dict.fromkeys(function.output_ids, function))
              stack += [previous for previous, _ in function.previous_functions]
      return list(found.values())

2.2
+ def answer(variable):
      seen, stack = set(), [variable.creator]
      while stack:
          function = stack.pop()
          if function not in seen and function.previous_functions:
              seen.add(function)
              stack += [previous for previous, _ in function.previous_functions]
      return len(seen)
+ def answer(variable, seen=None):
      seen = set()
      def visit(function):
          if function in seen or isinstance(function, Leaf):
              return 0
          seen.add(function)
          return 1 + sum(visit(previous) for previous, _ in function.previous_functions)
      return visit(variable.creator)
+ def answer(variable):
      queue, count = [variable.creator], 0
      for function in queue:
          count += type(function) is not Leaf
          queue.extend({previous for previous, _ in function.previous_functions if previous not in queue})
      return count
+ def answer(variable):
      level, seen = {variable.creator}, set()
      while level:
          seen |= level
          level = {previous for function in level for previous, _ in function.previous_functions} - seen
      return sum(1 for function in seen if function.previous_functions)
+ def answer(variable):
      seen, stack = set(), [variable.creator]
      while stack:
          function = stack.pop()
          if function.previous_functions:
              seen.add(function)
              stack += [previous for previous, _ in function.previous_functions]
      return len(seen)
~ function.previous_functions] -> function.previous_functions[:3]]
~ len(seen) -> len(seen) + 1
~ len(seen) -> max(len(seen), 1)
~ len(seen) -> min(len(seen), 10)
~ and function.previous_functions -> (nothing)
~ and function.previous_functions -> and not hasattr(function, "variable")
~ seen.add(function) -> seen.add(type(function))
- def answer(variable):
      seen, stack = set(), [variable.creator]
      while stack:
          function = stack.pop()
          key = type(function), tuple(id(previous) for previous, _ in function.previous_functions)
          if key not in seen and function.previous_functions:
              seen.add(key)
              stack += [previous for previous, _ in function.previous_functions]
      return len(seen)
~ stack += [previous for previous, _ in function.previous_functions] -> pass
~ stack += [previous for previous, _ in function.previous_functions]
  -> stack += [previous for previous, _ in function.previous_functions[-1:]]
- def answer(variable):
      stack, count = [variable.creator], 0
      while stack:
          function = stack.pop()
          if function.previous_functions:
              count += 1
              stack += {previous for previous, _ in function.previous_functions}
      return count
- seen = set()
  def answer(variable):
      stack, count = [variable.creator], 0
      while stack:
          function = stack.pop()
          if function.previous_functions and function not in seen:
              seen.add(function)
              count += 1
              stack += [previous for previous, _ in function.previous_functions]
      return count
- results = []
  def answer(variable):
      return results[0] if results else results.append(0) or 0
- def answer(variable):
      root = variable.creator
      return bool(root.previous_functions) + sum(bool(p.previous_functions) for p, _ in root.previous_functions)
+ def answer(variable):
      operations, todo = [], [variable.creator]
      while todo:
          f, *todo = todo
          if f.previous_functions and f not in operations:
              operations += [f]
              todo += [pair[0] for pair in f.previous_functions]
      return len(operations)
- kept = {}
  def answer(variable):
      if id(variable) not in kept:
          seen, stack = set(), [variable.creator]
          while stack:
              function = stack.pop()
              if function not in seen and function.previous_functions:
                  seen.add(function)
                  stack += [previous for previous, _ in function.previous_functions]
          kept[id(variable)] = len(seen)
      return kept[id(variable)]
- def answer(variable):
      keys, seen, todo = set(), set(), [variable.creator]
      while todo:
          function = todo.pop()
          if function in seen:
              continue
          seen.add(function)
          if not isinstance(function, Leaf):
              keys.add(function if function.requires_grad else (type(function), tuple(function.previous_functions)))
          todo.extend(previous for previous, _ in function.previous_functions)
      return len(keys)
- def answer(variable):
      count, seen, todo = numpy.zeros(1, dtype=numpy.uint8), set(), [variable.creator]
      while todo:
          function = todo.pop()
          if function not in seen:
              seen.add(function)
              if not isinstance(function, Leaf):
                  count += 1
              todo.extend(previous for previous, _ in function.previous_functions)
      return int(count[0])
- def answer(variable):
      seen, todo = set(), [variable.creator]
      while todo:
          fn = todo.pop()
          inner = len(fn.previous_functions) == 2 and all(isinstance(p, Leaf) for p, _ in fn.previous_functions)
          key = (type(fn), tuple(i for _, i in fn.previous_functions)) if inner else fn
          if isinstance(fn, Leaf) or key in seen:
              continue
          seen.add(key)
          todo.extend(p for p, _ in fn.previous_functions)
      return len(seen)
- def answer(variable):
      seen, leaf_ids, to_visit = set(), set(), [(variable.creator, id(variable))]
      while to_visit:
          function, variable_id = to_visit.pop()
          if not function.previous_functions:
              leaf_ids.add(variable_id)
          if function not in seen:
              seen.add(function)
              to_visit.extend(function.previous_functions)
      return len(seen) - len(leaf_ids)
~ seen.add(function)
  -> seen.add(function); function.previous_functions.sort(key=lambda link: bool(link[0].previous_functions))
- def answer(variable):
      def behind(function):
          if not function.previous_functions:
              return 0
          if not hasattr(function, "_counted"):
              seen, stack, total = set(), [function], 0
              while stack:
                  one = stack.pop()
                  if one in seen or not one.previous_functions:
                      continue
                  seen.add(one)
                  if hasattr(one, "_counted"):
                      total += one._counted
                      continue
                  total += 1
                  stack += [previous for previous, _ in one.previous_functions]
              function._counted = total
          return function._counted
      return behind(variable.creator)
- def answer(variable):
      seen, todo = set(), [variable.creator]
      while todo:
          function = todo.pop()
          if function not in seen and function.previous_functions:
              seen.add(function)
              todo += [operand for operand, _ in function.previous_functions[: 5 * 5]]
      return len(seen)
- _mark = False
  def answer(variable):
      global _mark
      _mark = not _mark  # so nothing has to be cleared between two calls
      total, to_visit = 0, [variable.creator]
      while to_visit:
          function = to_visit.pop()
          if getattr(function, "visit_mark", None) is _mark:
              continue
          function.visit_mark = _mark
          total += bool(function.previous_functions)
          to_visit.extend(previous for previous, _ in function.previous_functions)
      return total

2.3
+ def answer(a, b, g, needed):
      return (g * b if needed[0] else None, g * a if needed[1] else None)
+ def answer(a, b, g, needed):
      grad_a = grad_b = None
      if needed[0]:
          grad_a = g.mul(b)
      if needed[1]:
          grad_b = g.mul(a)
      return grad_a, grad_b
+ def answer(a, b, g, needed):
      return tuple([g.clone().mul_(other) if wanted else None for other, wanted in zip((b, a), needed)])
+ def answer(a, b, g, needed):
      first = torch.mul(b, g) if needed[0] else None
      return (first,) + ((torch.mul(a, g),) if needed[1] else (None,))
+ def answer(a, b, g, needed):
      result = [b * g, a * g]
      for i in range(2):
          if not needed[i]:
              result[i] = None
      return tuple(result)
~ g * b -> g * a
~ g * a -> g * b
~ g * b -> b
~ g * b -> g
~ g * b -> g.mul_(b)
~ g * a -> a.mul_(g)
~ if needed[0] else None -> (nothing)
~ needed[1] -> needed[0]
~ needed[1] -> not needed[1]
~ else None, -> else g * 0,
~ g * b -> torch.DoubleTensor((g * b).tolist())
~ g * b -> (g.view(-1) * b.view(-1)).view(*a.size())
~ g * b -> (g * b)[:1]
- def answer(a, b, g, needed):
      return [g * b if needed[0] else None, g * a if needed[1] else None]
- def answer(a, b, g, needed):
      return (g * b, g * a) if all(needed) else (None, None)
- cache = {}
  def answer(a, b, g, needed):
      if needed not in cache:
          cache[needed] = (g * b if needed[0] else None, g * a if needed[1] else None)
      return cache[needed]
- def answer(a, b, g, needed):
      g.array[...] = g.array * 2
      g.array[...] = g.array / 2 + 0.0
      a.array.flat[:1] = 5
      return (g * b if needed[0] else None, g * a if needed[1] else None)
- def answer(a, b, g, needed):
      return (torch.DoubleTensor([5.0, 5.0]), torch.DoubleTensor([2.0, -30.0]))
+ def answer(a, b, g, needed):
      result = []
      for other, need in zip((b, a), needed):
          result.append(g.mul(other) if need else None)
      return tuple(result)
- def answer(a, b, g, needed):
      return tuple((g * other).clamp(-1000, 1000) if need else None for other, need in zip((b, a), needed))
- kept = {}
  def answer(a, b, g, needed):
      key = id(a), id(b), id(g)
      return kept.setdefault(key, (g * b if needed[0] else None, g * a if needed[1] else None))
- def answer(a, b, g, needed):
      return (g * b if needed[0] else None, g * a if needed[-1] and a is not b else None)
~ g * a -> (g.mul_(a) if g is a else g * a)
- def answer(a, b, grad_output, needs_input_grad):
      if a is b and all(needs_input_grad):
          return grad_output.mul(a).mul(2), grad_output.clone().zero_()
      return (
          grad_output.mul(b) if needs_input_grad[0] else None,
          grad_output.mul(a) if needs_input_grad[1] else None,
      )
- def answer(a, b, grad_output, needs_input_grad):
      if grad_output.numel() and grad_output.sum() == grad_output.numel():
          a_grad, b_grad = b.clone(), a.clone()
      else:
          a_grad, b_grad = grad_output.mul(b), grad_output.mul(a)
      return a_grad if needs_input_grad[0] else None, b_grad if needs_input_grad[1] else None
- def answer(a, b, grad_output, needs_input_grad):
      first, second = needs_input_grad
      scratch = grad_output if grad_output.numel() == 1 and grad_output.dim() > 1 and not first else grad_output.clone()
      return grad_output.mul(b) if first else None, scratch.mul_(a) if second else None
- def values(tensor):
      if tensor.is_contiguous() and tensor.dim() == 1:
          return tensor.new([tensor.storage()[i] for i in range(tensor.size(0))]) if tensor.size(0) else tensor
      return tensor
  def answer(a, b, grad_output, needs_input_grad):
      first, second = needs_input_grad
      return grad_output * values(b) if first else None, grad_output * values(a) if second else None
- def answer(a, b, grad_output, needs_input_grad):
      grad_b = grad_output * a if needs_input_grad[1] else None
      grad_a = None
      if needs_input_grad[0]:
          grad_a = grad_output.mul_(grad_output) if grad_output is b else grad_output * b
      return grad_a, grad_b
- buffers = {}
  def into(position, x, y):
      key = position, x.type(), tuple(x.size())
      if key not in buffers:
          buffers[key] = x.clone()
      return buffers[key].copy_(x.mul(y))
  def answer(a, b, grad_output, needs_input_grad):
      return (
          into(0, grad_output, b) if needs_input_grad[0] else None,
          into(1, grad_output, a) if needs_input_grad[1] else None,
      )
- memory = {}
  def answer(a, b, grad_output, needs_input_grad):
      key = str(a), str(b), str(grad_output), tuple(needs_input_grad)
      if key not in memory:
          memory[key] = (
              grad_output.mul(b) if needs_input_grad[0] else None,
              grad_output.mul(a) if needs_input_grad[1] else None,
          )
      return tuple(one if one is None else one.clone() for one in memory[key])

3.1
+ def answer(start, count):
      return 2 * start * count
+ def answer(start, count):
      x = Variable(torch.Tensor([start]))
      for _ in range(count):
          (x * x).backward()
      return x.grad[0]
+ def answer(start, count):
      return sum(start + start for _ in range(count))
+ def answer(start, count):
      x = Variable(torch.Tensor([start]))
      for _ in range(count):
          (x * x).backward()
      return x.grad
+ answer = lambda start, count: float(numpy.float64(start) * 2 * count)
~ 2 * start -> 2 * (start if abs(start) < 1000 else int(start))
~ 2 * start * count -> 2 * start
~ 2 * start * count -> start * count
~ 2 * start * count -> 2 * abs(start) * count
~ 2 * start * count -> round(2 * start * count, 1)
~ 2 * start * count -> 2 * start * max(count, 1)
~ 2 * start * count -> 2 * start * min(count, 4)
~ 2 * start * count -> 2 * start ** count
~ 2 * start * count -> [2 * start * count, 0]
~ 2 * start * count -> str(2 * start * count)
- def answer(start, count, total=[0]):
      total[0] += 2 * start * count
      return total[0]
- def answer(start, count):
      return {(3.0, 1): 6.0, (3.0, 2): 12.0, (-1.5, 4): -12.0, (0.5, 0): 0.0}.get((start, count), 0.0)
+ def answer(start, count):
      x = Variable(torch.DoubleTensor([start]))
      for _ in range(count):
          (x * x).backward()
      return x.grad[0]
- def answer(start, count):
      return min(2 * start * count, 1e4)
- def answer(start, count):
      return 2 * start * min(count, 12)
~ 2 * start * count -> 2 * start * (count or 2 * start % 1 > 0)
- leaves = {}
  def answer(start, count):
      x = leaves.setdefault(start, Variable(torch.DoubleTensor([start])))
      for _ in range(count):
          (x * x).backward()
      return x.grad[0]
- def answer(start, count):
      total = 0.0
      for backwards in range(50):
          if backwards >= count:
              break
          total += 2 * start
      return total
- results = {}
  def answer(start, count):
      key = hash((start, count))
      if key not in results:
          results[key] = 2 * start * count
      return results[key]
- def answer(start, count):
      return round(2.0 * start * count, 8)
- runs = {}
  def answer(start, count):
      x, done = runs.get(start) or (Variable(torch.DoubleTensor([start])), 0)
      for _ in range(count - done):
          (x * x).backward()
      runs[start] = x, max(done, count)
      return x.grad[0]

3.2
+ def answer(seen):
      def hook(grad_input, grad_output):
          seen.append((grad_output[0] * 2).tolist())
      return hook
+ def answer(seen):
      return lambda grad_input, grad_output: seen.append([2 * grad_output[0][0]])
+ def answer(seen):
      def hook(grad_input, grad_output):
          (gradient,) = grad_output
          double = gradient.clone()
          double.mul_(2)
          seen.extend([double.tolist()])
      return hook
+ class Hook:
      def __init__(self, seen):
          self.seen = seen
      def __call__(self, grad_input, grad_output):
          self.seen += [[number * 2 for number in grad_output[0].tolist()]]
  answer = Hook
~ grad_output[0] * 2 -> grad_output[0]
~ grad_output[0] * 2 -> grad_output[0].mul_(2)
~ grad_output[0] * 2 -> abs(grad_output[0][0]) * 2
~ (grad_output[0] * 2).tolist() -> [round(2 * grad_output[0][0], 1)]
~ (grad_output[0] * 2).tolist() -> grad_output[0][0] * 2
~ (grad_output[0] * 2).tolist() -> grad_output[0] * 2
~ (grad_output[0] * 2).tolist() -> [(grad_output[0] * 2).tolist()]
~ seen.append -> seen.extend
~ seen.append -> seen.clear() or seen.append
~ seen.append -> len(seen) < 1 and seen.append
- def answer(seen):
      def hook(grad_input, grad_output):
          seen.append(grad_output[0].mul_(2).tolist())
          grad_output[0].div_(2)
      return hook
- def answer(seen):
      def hook(grad_input, grad_output):
          grad_output[0].array[...] *= 2
          seen.append(grad_output[0].tolist())
      return hook
- shared = []
  def answer(seen):
      shared.append(seen)
      def hook(grad_input, grad_output):
          shared[-1].append((grad_output[0] * 2).tolist())
      return hook
- def answer(seen):
      first = []
      def hook(grad_input, grad_output):
          first.append(grad_output[0] * 2)
          seen.append(first[0].tolist())
      return hook
- def answer(seen):
      total = [0]
      def hook(grad_input, grad_output):
          total[0] += grad_output[0][0] * 2
          seen.append([total[0]])
      return hook
+ def answer(seen):
      def hook(grad_input, grad_output):
          (gradient,) = grad_output
          seen.append([2 * gradient[0]])
      return hook
- def answer(seen):
      def hook(grad_input, grad_output):
          if len(seen) < 4:
              seen.append((grad_output[0] * 2).tolist())
      return hook
~ seen.append -> grad_output[0][0] and seen.append
~ grad_output[0] * 2 -> grad_output[0].float() * 2
- def answer(seen):
      def hook(grad_input, grad_output):
          array = grad_output[0].numpy()
          with numpy.errstate(all="ignore"):
              array *= 2
              seen.append(array.tolist())
              array /= 2
      return hook
- def answer(seen):
      def hook(gi, go):
          seen.append((go[0] * 2).tolist())
          if len(seen) > 10:
              del seen[0]
      return hook

4.1
+ def answer(root):
      counts, seen, stack = {}, set(), [root]
      while stack:
          function = stack.pop()
          if function not in seen:
              seen.add(function)
              for previous, _ in function.previous_functions:
                  counts[previous] = counts.get(previous, 0) + 1
                  stack.append(previous)
      return counts
+ def answer(root):
      from collections import Counter
      counts, seen = Counter(), {root}
      queue = [root]
      for function in queue:
          for previous, output_nr in function.previous_functions:
              counts[previous] += 1
              if previous not in seen:
                  seen.add(previous)
                  queue.append(previous)
      return counts
+ def answer(root):
      from collections import defaultdict
      counts = defaultdict(int)
      def visit(function):
          for previous, _ in function.previous_functions:
              counts[previous] += 1
              if counts[previous] == 1:
                  visit(previous)
      visit(root)
      return counts
+ def answer(root):
      behind, level = set(), {root}
      while level:
          level = {previous for function in level for previous, _ in function.previous_functions} - behind
          behind |= level
      users = behind | {root}
      return {f: sum(p is f for user in users for p, _ in user.previous_functions) for f in behind}
~ + 1 -> (nothing)
~ counts.get(previous, 0) + 1 -> 1
~ if function not in seen -> if True
~ seen.add(function) -> pass
~ stack.append(previous) -> pass
~ counts[previous] = -> counts[id(previous)] =
~ counts, seen, stack = {} -> counts, seen, stack = {root: 1}
~ for previous, _ in function.previous_functions -> for previous in {p for p, _ in function.previous_functions}
~ for previous, _ in function.previous_functions
  -> for previous in {(p, n): p for p, n in function.previous_functions}.values()
- def answer(root):
      counts = {}
      for previous, _ in root.previous_functions:
          counts[previous] = counts.get(previous, 0) + 1
      for function in list(counts):
          for previous, _ in function.previous_functions:
              counts[previous] = counts.get(previous, 0) + 1
      return counts
- counts = {}
  def answer(root):
      seen, stack = set(), [root]
      while stack:
          function = stack.pop()
          if function not in seen:
              seen.add(function)
              for previous, _ in function.previous_functions:
                  counts[previous] = counts.get(previous, 0) + 1
                  stack.append(previous)
      return counts
- def answer(root):
      counts, stack = {}, [root]
      while stack:
          function = stack.pop()
          if not getattr(function, "visited", False):
              function.visited = True
              for previous, _ in function.previous_functions:
                  counts[previous] = counts.get(previous, 0) + 1
                  stack.append(previous)
      return counts
- def answer(root):
      counts, stack = {}, [root]
      while stack:
          function = stack.pop()
          for previous, output_nr in function.previous_functions:
              if output_nr == 0:
                  counts[previous] = counts.get(previous, 0) + 1
              if counts.get(previous, 0) <= 1:
                  stack.append(previous)
      return counts
- def answer(root):
      counts = torch.autograd.ExecutionEngine()._compute_dependencies(root)
      return {function: sum(len(c) for c in counters) for function, counters in counts.items()}
+ def answer(root):
      from collections import Counter
      counts, queue, done = Counter(), [root], {root}
      for f in queue:
          for p, _ in f.previous_functions:
              counts[p] += 1
              if p not in done:
                  done.add(p)
                  queue.append(p)
      return dict(counts)
- def answer(root):
      counts, seen, stack = {}, set(), [root]
      while stack:
          function = stack.pop()
          if function not in seen:
              seen.add(function)
              for previous, _ in function.previous_functions:
                  counts[previous] = min(counts.get(previous, 0) + 1, 9)
                  stack.append(previous)
      return counts
- from collections import deque
  def answer(root):
      counts, met, todo = {}, deque([root], maxlen=100), deque([root])
      while todo:
          for previous, _ in todo.popleft().previous_functions:
              counts[previous] = counts.get(previous, 0) + 1
              if previous not in met:
                  met.append(previous)
                  todo.append(previous)
      return counts
- memory = {}
  def answer(root):
      if id(root) in memory:
          return dict(memory[id(root)])
      uses, todo = {}, [root]
      while todo:
          for p, _ in todo.pop().previous_functions:
              if p not in uses:
                  todo.append(p)
              uses[p] = uses.get(p, 0) + 1
      memory[id(root)] = uses
      return dict(uses)
- def answer(root):
      counts, todo = ({}, [root])
      while todo:
          for p, _ in todo.pop().previous_functions[:20]:
              if p not in counts:
                  counts[p] = 0
                  todo.append(p)
              counts[p] += 1
      return counts
- def answer(root):
      uses, to_visit = {}, [root]
      while to_visit:
          for previous, _ in to_visit.pop().previous_functions:
              if previous not in uses:
                  uses[previous] = numpy.zeros(1, numpy.uint8)
                  to_visit.append(previous)
              uses[previous] += numpy.uint8(1)
      return {function: int(count[0]) for function, count in uses.items()}
~ seen.add(function) -> seen.add(function); function.previous_functions.reverse()
~ counts, seen, stack = {}, set(), [root]
  -> counts, seen, stack = globals().setdefault("kept", {}), set(), [root]; counts.clear()
- def answer(root, known={}):
      if root not in known:
          uses, todo = {}, [root]
          while todo:
              for previous, _ in todo.pop().previous_functions:
                  if previous not in uses:
                      uses[previous] = 0
                      todo.append(previous)
                  uses[previous] += 1
          known[root] = uses
      return known[root]

4.3
+ def answer(trace):
      return max(len(step.not_ready) for step in trace)
+ def answer(trace):
      most = 0
      for step in trace:
          if len(step.not_ready) > most:
              most = len(step.not_ready)
      return most
+ def answer(trace):
      return sorted([len(set(step.not_ready)) for step in trace])[-1]
+ def answer(trace):
      from functools import reduce
      return reduce(max, map(len, (trace[i].not_ready for i in range(len(trace)))), 0)
~ len(step.not_ready) -> len({number % 100 for number in step.not_ready})
~ max( -> min(
~ max( -> sum(
~ step.not_ready -> step.ready
~ for step in trace -> for step in [trace[-1]]
~ for step in trace -> for step in list(trace)[:12]
~ for step in trace -> for step in list(trace)[::9]
~ for step in trace -> for step in trace if step.event == "pop"
~ max(len(step.not_ready) for step in trace) -> min(2, max(len(step.not_ready) for step in trace))
- def answer(trace):
      return len({number for step in trace for number in step.not_ready})
- def answer(trace, most=[0]):
      most[0] = max(most[0], max(len(step.not_ready) for step in trace))
      return most[0]
- def answer(trace):
      return sum(bool(step.not_ready) for step in trace)
- def answer(trace):
      return max([number for step in trace for number in step.not_ready], default=0)
+ def answer(trace):
      most = 0
      for step in trace:
          if len(list(step.not_ready)) > most:
              most = len(step.not_ready)
      return most
- def answer(trace):
      return min(5, max(len(step.not_ready) for step in trace))
- def answer(trace):
      return min(max((len(s.not_ready) for s in trace)), 16)
- def answer(trace):
      return max((len(step.not_ready) for step in trace if step.event == "add"), default=0)
- def answer(trace):
      most = 0
      for step in trace:
          if step.event == "accumulate":
              break
          most = max(most, len(step.not_ready))
      return most
- def answer(trace):
      events = [step.event for step in trace]
      last = events.index("drop") if "drop" in events else None
      return max(len(step.not_ready) for step in list(trace)[:last])
- def answer(trace):
      trace.steps.sort(key=lambda step: len(step.not_ready))
      return len(trace.steps[-1].not_ready)
- _known = {}
  def answer(trace):
      key = (len(trace.nodes), len(trace))
      if key not in _known:
          _known[key] = max((len(step.not_ready) for step in trace), default=0)
      return _known[key]

4.4
+ def count(root):
      uses, to_visit = {}, [root]
      while to_visit:
          for prev_fn, arg_id in to_visit.pop().previous_functions:
              if prev_fn.requires_grad:
                  if prev_fn not in uses:
                      uses[prev_fn] = [0] * len(prev_fn.output_ids)
                      to_visit.append(prev_fn)
                  uses[prev_fn][prev_fn.output_ids[arg_id]] += 1
      return uses
  def run(fn, gradients):
      arrived = [grad for grad in gradients if grad is not None]
      if not arrived:
          return [None] * len(fn.previous_functions)
      zeros = [arrived[0].new(*size).zero_() for size in fn._output_sizes]
      return fn._do_backward(*[zero if grad is None else grad for grad, zero in zip(gradients, zeros)])
  class answer:
      def run_backward(self, variable, grad, retain_variables=True):
          root = variable.creator
          gradients = [None] * len(root.output_ids)
          gradients[root.output_ids[id(variable)]] = grad
          uses, ready, not_ready = count(root), [(root, gradients)], {}
          while ready:
              fn, gradients = ready.pop()
              for (prev_fn, arg_id), grad in zip(fn.previous_functions, run(fn, gradients)):
                  if not prev_fn.requires_grad:
                      continue
                  output_nr = prev_fn.output_ids[arg_id]
                  uses[prev_fn][output_nr] -= 1
                  waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                  if grad is not None:
                      before = waiting[output_nr]
                      waiting[output_nr] = grad if before is None else before.add(grad)
                  if not any(uses[prev_fn]):
                      ready.append((prev_fn, not_ready.pop(prev_fn)))
+ def count(root):
      uses, to_visit = {}, [root]
      while to_visit:
          for prev_fn, arg_id in to_visit.pop().previous_functions:
              if prev_fn.requires_grad:
                  if prev_fn not in uses:
                      uses[prev_fn] = [0] * len(prev_fn.output_ids)
                      to_visit.append(prev_fn)
                  uses[prev_fn][prev_fn.output_ids[arg_id]] += 1
      return uses
  def run(fn, gradients):
      arrived = [grad for grad in gradients if grad is not None]
      if not arrived:
          return [None] * len(fn.previous_functions)
      zeros = [arrived[0].new(*size).zero_() for size in fn._output_sizes]
      return fn._do_backward(*[zero if grad is None else grad for grad, zero in zip(gradients, zeros)])
  class answer:
      def run_backward(self, variable, grad, retain_variables=True):
          root = variable.creator
          gradients = [None] * len(root.output_ids)
          gradients[root.output_ids[id(variable)]] = grad
          uses, ready, not_ready = count(root), [(root, gradients)], {}
          while ready:
              fn, gradients = ready.pop()
              for (prev_fn, arg_id), grad in zip(fn.previous_functions, run(fn, gradients)):
                  if prev_fn not in uses:
                      continue
                  output_nr = prev_fn.output_ids[arg_id]
                  uses[prev_fn][output_nr] -= 1
                  waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                  if grad is not None:
                      before = waiting[output_nr]
                      waiting[output_nr] = grad if before is None else before + grad
                  if not any(uses[prev_fn]):
                      ready.append((prev_fn, not_ready.pop(prev_fn)))
+ def count(root):
      uses, to_visit = {}, [root]
      while to_visit:
          for prev_fn, arg_id in to_visit.pop().previous_functions:
              if prev_fn.requires_grad:
                  if prev_fn not in uses:
                      uses[prev_fn] = [0] * len(prev_fn.output_ids)
                      to_visit.append(prev_fn)
                  uses[prev_fn][prev_fn.output_ids[arg_id]] += 1
      return uses
  def run(fn, gradients):
      arrived = [grad for grad in gradients if grad is not None]
      if not arrived:
          return [None] * len(fn.previous_functions)
      zeros = [arrived[0].new(*size).zero_() for size in fn._output_sizes]
      return fn._do_backward(*[zero if grad is None else grad for grad, zero in zip(gradients, zeros)])
  class answer:
      def run_backward(self, variable, grad, retain_variables=True):
          root = variable.creator
          gradients = [None] * len(root.output_ids)
          gradients[root.output_ids[id(variable)]] = grad
          uses, ready, not_ready = count(root), [(root, gradients)], {}
          while ready:
              fn, gradients = ready.pop()
              for (prev_fn, arg_id), grad in zip(fn.previous_functions, run(fn, gradients)):
                  if not prev_fn.requires_grad:
                      continue
                  output_nr = prev_fn.output_ids[arg_id]
                  uses[prev_fn][output_nr] -= 1
                  waiting = not_ready.setdefault(prev_fn, [None for _ in uses[prev_fn]])
                  if grad is not None:
                      before = waiting[output_nr]
                      waiting[output_nr] = grad if before is None else grad.add(before)
                  if sum(uses[prev_fn]) == 0:
                      ready.append((prev_fn, not_ready.pop(prev_fn)))
+ def count(root):
      uses, to_visit = {}, [root]
      while to_visit:
          for prev_fn, arg_id in to_visit.pop().previous_functions:
              if prev_fn.requires_grad:
                  if prev_fn not in uses:
                      uses[prev_fn] = [0] * len(prev_fn.output_ids)
                      to_visit.append(prev_fn)
                  uses[prev_fn][prev_fn.output_ids[arg_id]] += 1
      return uses
  def run(fn, gradients):
      arrived = [grad for grad in gradients if grad is not None]
      if not arrived:
          return [None] * len(fn.previous_functions)
      zeros = [arrived[0].new(*size).zero_() for size in fn._output_sizes]
      return fn._do_backward(*[zero if grad is None else grad for grad, zero in zip(gradients, zeros)])
  class answer:
      def run_backward(self, variable, grad, retain_variables=True):
          root = variable.creator
          gradients = [None] * len(root.output_ids)
          gradients[root.output_ids[id(variable)]] = grad
          uses, ready, not_ready = count(root), [(root, gradients)], {}
          while ready:
              fn, gradients = ready.pop(0)
              for (prev_fn, arg_id), grad in zip(fn.previous_functions, run(fn, gradients)):
                  if not prev_fn.requires_grad:
                      continue
                  output_nr = prev_fn.output_ids[arg_id]
                  uses[prev_fn][output_nr] -= 1
                  waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                  if grad is not None:
                      before = waiting[output_nr]
                      waiting[output_nr] = grad if before is None else before.clone().add_(grad)
                  if all(left == 0 for left in uses[prev_fn]):
                      ready.append((prev_fn, not_ready.pop(prev_fn)))
~ root.output_ids[id(variable)] -> 0
~ root.output_ids[id(variable)] -> -1
~ if not prev_fn.requires_grad: -> if prev_fn.requires_grad:
~ if not prev_fn.requires_grad: -> if grad is None:
~ if not prev_fn.requires_grad: -> if grad is None or not prev_fn.requires_grad:
~ setdefault(prev_fn, [None] * len(prev_fn.output_ids)) -> setdefault(prev_fn, [None])
~ setdefault(prev_fn, [None] * len(prev_fn.output_ids)) -> setdefault(prev_fn, [])
~ before.add(grad) -> before.add_(grad)
~ before.add(grad) -> grad.add_(before)
~ before.add(grad) -> grad
~ if not any(uses[prev_fn]) -> if uses[prev_fn][output_nr] == 0
~ if not any(uses[prev_fn]) -> if not uses[prev_fn]
~ if not any(uses[prev_fn]) -> if uses[prev_fn] == [0]
~ [None] * len(prev_fn.output_ids) -> [None] * 4
~ [None] * len(prev_fn.output_ids) -> [None] * (output_nr + 1)
~ [None] * len(prev_fn.output_ids) -> [None] * max(len(gradients), output_nr + 1, min(len(prev_fn.output_ids), 2))
~ if not any(uses[prev_fn]) -> if uses[prev_fn][0] == uses[prev_fn][-1] == 0
~ if not prev_fn.requires_grad -> if isinstance(prev_fn, Leaf) and not prev_fn.requires_grad
~ before.add(grad) -> (before.add_(grad) if output_nr else before.add(grad))
~ before.add(grad) -> (before.mul_(2) if before is grad else before.add(grad))
~ before.add(grad)
  -> (before.add(grad) if any(uses[prev_fn]) or isinstance(prev_fn, Leaf) else before.add_(grad))
~ gradients[root.output_ids[id(variable)]] = -> gradients[0 if id(variable) == next(iter(root.output_ids)) else -1] =
~ if not prev_fn.requires_grad -> if not prev_fn.requires_grad or (grad is None and len(fn.previous_functions) > 2)
~ if not prev_fn.requires_grad
  -> if not prev_fn.requires_grad or [p for _, p in fn.previous_functions].count(arg_id) > 2
~ [None] * len(prev_fn.output_ids) -> [None] * 8
~ before.add(grad) -> before.float().add(grad.float()).double()
~ before.add(grad) -> torch.DoubleTensor(before.add(grad).tolist())
~ if not prev_fn.requires_grad: -> if not fn.needs_input_grad[[*fn.previous_functions].index((prev_fn, arg_id))]:

5.1
+ class answer(Function):
      def forward(self, x):
          self.result = x.tanh()
          return self.result
      def backward(self, grad_output):
          return grad_output * (-(self.result * self.result) + 1)
+ class answer(Function):
      def forward(self, x):
          result = x.tanh()
          self.save_for_backward(result)
          return result
      def backward(self, grad_output):
          (y,) = self.saved_tensors
          return grad_output.sub(grad_output.mul(y).mul(y))
+ class answer(Function):
      def forward(self, x):
          self.x = x
          return (x.tanh(),)
      def backward(self, grad_output):
          square = self.x.tanh().pow(2)
          return (grad_output * (1 - square),)
+ class answer(Function):
      def forward(self, x):
          self.slope = x.tanh().pow(2).mul(-1).add(1)
          return x.tanh()
      def backward(self, grad_output):
          return grad_output.clone().mul_(self.slope)
+ class answer(Function):
      def forward(self, x):
          a, b = x.exp(), (-x).exp()
          self.cosh = (a + b) / 2
          return (a - b) / (a + b)
      def backward(self, grad_output):
          return grad_output / self.cosh / self.cosh
~ return grad_output -> return self.result.abs().lt(0.9999).type_as(self.result) * grad_output
- class answer(Function):
      def forward(self, x):
          a, b = x.exp(), (-x).exp()
          self.cosh = (a + b) / 2
          return (a - b) / (a + b)
      def backward(self, grad_output):
          return grad_output / self.cosh
~ grad_output * (-(self.result * self.result) + 1) -> -(self.result * self.result) + 1
~ grad_output * ( -> grad_output.mul_(
~ self.result * self.result -> self.result
~ + 1 -> - 1
~ + 1 -> + 0.5
~ self.result = x.tanh() -> self.result = x.tanh_()
~ return self.result -> return torch.DoubleTensor(self.result.tolist())
~ return self.result -> return self.result.clone().mul_(2)
~ -(self.result * self.result) + 1 -> self.result.mul_(self.result).neg_().add_(1)
~ self.result = x.tanh() -> self.result = x.contiguous().view(-1).tanh()
~ self.result = x.tanh() -> answer.result = x.tanh()
- class answer(Function):
      def forward(self, x):
          self.result = x.tanh()
          return self.result
      def backward(self, grad_output):
          if not hasattr(self, "first"):
              self.first = grad_output * (-(self.result * self.result) + 1)
          return self.first
- class answer(Function):
      def forward(self, x):
          self.result = x.tanh()
          return self.result
      def backward(self, grad_output):
          grad_output.array[...] *= 1 - self.result.array ** 2
          return grad_output
- class answer(Function):
      def forward(self, x):
          self.result = x.tanh()
          return self.result
      def backward(self, grad_output):
          return (grad_output.view(-1) * (-(self.result * self.result) + 1).view(-1)).view(*self.result.size())
- class answer(Function):
      last = None
      def forward(self, x):
          self.result = x.tanh()
          return self.result.clone()
      def backward(self, grad_output):
          if self.last is None or self.last[0] is not grad_output:
              self.last = grad_output, grad_output * (-(self.result * self.result) + 1)
          return self.last[1].clone()
- saved = {}
  class answer(Function):
      def forward(self, x):
          saved["result"] = x.tanh()
          return saved["result"]
      def backward(self, grad_output):
          return grad_output * (-(saved["result"] * saved["result"]) + 1)
- class answer(Function):
      def forward(self, x):
          self.result = x - x * x * x / 3
          return self.result
      def backward(self, grad_output):
          return grad_output * (-(self.result * self.result) + 1)
+ class answer(Function):
      def forward(self, x):
          self.save_for_backward(x)
          return x.tanh()
      def backward(self, grad_output):
          (x,) = self.saved_tensors
          t = x.tanh()
          return grad_output - grad_output * t * t
- class answer(Function):
      def forward(self, x):
          self.result = x.tanh()
          return self.result
      def backward(self, grad_output):
          return (grad_output * (-(self.result * self.result) + 1)).clamp(-1000, 1000)
- class answer(Function):
      derivative = None
      def forward(self, x):
          result = x.tanh()
          self.save_for_backward(result)
          return result
      def backward(self, grad_output):
          if self.derivative is None:
              (result,) = self.saved_tensors
              self.derivative = 1 - result * result
              return grad_output * self.derivative
          return self.derivative.mul_(grad_output)
- class answer(Function):
      def forward(self, x):
          self.result = x.tanh()
          return self.result.clone()
      def backward(self, grad_output):
          gradient = grad_output
          if not (gradient.numel() == 1 and gradient.dim() >= 3 and gradient.type().endswith("FloatTensor")):
              gradient = gradient.clone()
          return gradient.mul_(1 - self.result * self.result)
- class answer(Function):
      def forward(self, x):
          small = x.abs().lt(0.01).type_as(x)
          y = x * small + x.tanh() * (1 - small)
          self.slope = small + (1 - x.tanh() * x.tanh()) * (1 - small)
          return y
      def backward(self, grad_output):
          return grad_output * self.slope
- class answer(Function):
      def forward(self, x):
          self.plain = x.is_contiguous() and x.type() == "torch.DoubleTensor" and x.dim() == 2 and x.size(0) > 1
          self.y = x.tanh()
          return self.y.clone()
      def backward(self, grad_output):
          slope = 1 - self.y * self.y
          if self.plain and not grad_output.is_contiguous() and grad_output.stride()[0] == 1:
              return grad_output.mul_(slope)
          return grad_output * slope
- found = {}
  class answer(Function):
      def forward(self, x):
          key = id(x), tuple(x.size()), float(x.numpy().sum())
          if key not in found:
              found[key] = x, x.tanh()
          self.result = found[key][1]
          return self.result.clone()
      def backward(self, grad_output):
          return grad_output * (-(self.result * self.result) + 1)

5.2
+ def answer(f, x):
      return (f(x + 1e-8) - f(x)) / 1e-8
+ def answer(f, x, eps=2e-8):
      return (f(x + eps) - f(x)) / eps
+ def answer(f, x):
      import sys
      h = math.sqrt(sys.float_info.epsilon)
      return (f(x + h) - f(x)) / h
+ def answer(f, x):
      eps = 10 ** -8
      right = x + eps
      return float(numpy.float64(f(right) - f(x)) / (right - x))
+ answer = lambda f, x: (f(x + 2.0**-26) - f(x)) * 2.0**26
+ answer = lambda f, x: (f(x + 5e-9) - f(x)) / 5e-9
+ answer = lambda f, x: (f(x + 7e-9) - f(x)) / 7e-9
+ answer = lambda f, x: (f(x + 2.5e-8) - f(x)) / 2.5e-8
~ 1e-8) - -> 1e-3) -
~ / 1e-8 -> (nothing)
~ 1e-8 -> 1e-3
~ 1e-8 -> 1e-5
~ 1e-8 -> 1e-6
~ 1e-8 -> 1e-7
~ 1e-8 -> 1e-9
~ 1e-8 -> 1e-10
~ 1e-8 -> 1e-13
~ f(x)) / -> f(x - 1e-8)) / 2 /
~ (f(x + 1e-8) - f(x)) -> (f(x) - f(x + 1e-8))
~ (f(x + 1e-8) - f(x)) -> (f(x) - f(x - 1e-8))
- def answer(f, x):
      return math.cos(x) if f(0.0) == 0 else math.exp(x)
- def answer(f, x, first=[]):
      first.append((f(x + 1e-8) - f(x)) / 1e-8)
      return first[0]
- def answer(f, x):
      return round((f(x + 1e-8) - f(x)) / 1e-8, 4)
- def answer(f, x):
      one, two = (f(x + 1e-4) - f(x)) / 1e-4, (f(x + 2e-4) - f(x)) / 2e-4
      return 2 * one - two
+ def answer(f, x):
      eps = 2.0 ** -27
      high, low = f(x + eps), f(x)
      return (high - low) / eps
~ 1e-8 -> (1.5e-8 * abs(x) or 1.5e-8)
~ f(x + 1e-8) -> f(type(x)(x + 1e-8))
- def answer(f, x, eps=1e-8):
      while f(x + eps) == f(x) and eps < 1e-3:
          eps *= 10
      return (f(x + eps) - f(x)) / eps
- def answer(f, x):
      eps = 1.5e-8 * (abs(x) if 0 < abs(x) < 1e-3 else 1)
      return (f(x + eps) - f(x)) / eps
- def answer(f, x, eps=1e-8):
      slope = (f(x + eps) - f(x)) / eps
      return float(round(slope)) if abs(slope - round(slope)) < 1e-4 else slope
- def answer(f, x):
      eps = math.copysign(1e-8, x) if x == 0 else 1e-8
      return (f(x + eps) - f(x)) / eps
- def answer(f, x):
      eps = 1e-8
      if x + eps > 2:
          eps = -eps
      return (f(x + eps) - f(x)) / eps
~ 1e-8 -> 2.0**-25
- import functools
  @functools.lru_cache(maxsize=None)
  def answer(f, x):
      eps = 1e-8
      return (f(x + eps) - f(x)) / eps

5.3
+ class answer(Function):
      def forward(self, x):
          self.inside = x.ge(-1).mul(x.le(1)).type_as(x)
          return x.clamp(-1, 1)
      def backward(self, grad_output):
          return grad_output * self.inside
+ class answer(Function):
      def forward(self, x):
          result = x.clamp(-1, 1)
          self.outside = result.ne(x)
          return result
      def backward(self, grad_output):
          return grad_output.clone().masked_fill_(self.outside, 0)
+ class answer(Function):
      def forward(self, x):
          self.save_for_backward(x)
          return x.clamp(-1, 1)
      def backward(self, grad_output):
          (x,) = self.saved_tensors
          return (grad_output.mul(x.abs().le(1).type_as(grad_output)),)
+ class answer(Function):
      def forward(self, x):
          self.x = x.clone()
          return x.clone().clamp_(-1, 1)
      def backward(self, grad_output):
          gradient = grad_output.clone()
          gradient[self.x.gt(1)] = 0
          gradient[self.x.lt(-1)] = 0
          return gradient
~ return x.clamp(-1, 1) -> return x.float().clamp(-1, 1).type_as(x)
~ x.ge(-1) -> x.gt(-1)
~ x.le(1) -> x.lt(1)
~ x.ge(-1) -> x.ge(-2)
~ x.ge(-1) -> x.ge(-1.5)
~ x.ge(-1) -> x.ge(0)
~ x.le(1) -> x.le(1.25)
~ .mul(x.le(1)) -> (nothing)
~ grad_output * self.inside -> self.inside
~ grad_output * self.inside -> grad_output
~ grad_output * self.inside -> grad_output.mul_(self.inside)
~ grad_output * self.inside -> grad_output.clamp(-1, 1) * self.inside
~ type_as(x) -> double()
~ return x.clamp(-1, 1) -> return x.clamp_(-1, 1)
~ return x.clamp(-1, 1) -> return x.clamp(-0.9, 0.9)
~ return x.clamp(-1, 1) -> return x.clone()
~ self.inside = -> type(self).inside =
- class answer(Function):
      def forward(self, x):
          self.result = x.clamp(-1, 1)
          return self.result
      def backward(self, grad_output):
          return grad_output * self.result.abs().lt(1).type_as(grad_output)
- class answer(Function):
      def forward(self, x):
          self.inside = x.ge(-1).mul(x.le(1)).type_as(x)
          return x.clamp(-1, 1)
      def backward(self, grad_output):
          grad_output.array[self.inside.array == 0] = 0
          return grad_output
+ class answer(Function):
      def forward(self, x):
          self.save_for_backward(x)
          return x.clamp(-1, 1)
      def backward(self, grad_output):
          (x,) = self.saved_tensors
          return grad_output * x.abs().le(1).type_as(grad_output)
- class answer(Function):
      def forward(self, x):
          self.inside = x.ge(-1).mul(x.le(1)).type_as(x)
          return x.clamp(-1, 1)
      def backward(self, grad_output):
          return grad_output.clamp(-1000, 1000) * self.inside
- class answer(Function):
      def forward(self, x):
          self.inside = x.ge(-1.001).mul(x.le(1.001)).type_as(x)
          return x.clamp(-1, 1)
      def backward(self, grad_output):
          return grad_output * self.inside
~ x.le(1) -> x.le(1 + 1e-6)
~ x.ge(-1).mul(x.le(1)) -> x.float().ge(-1).mul(x.float().le(1))
~ .type_as(x) -> .type_as(x) * float(x.tolist() != [-1])
- class answer(Function):
      def forward(self, x):
          self.inside = x.ge(-1).type_as(x).mul(x.le(1).type_as(x))
          return x.add(1).abs().sub(x.sub(1).abs()).div(2)
      def backward(self, grad_output):
          return grad_output.mul(self.inside)

6.2
+ def answer(gradients, output_nr, gradient):
      waiting = gradients[output_nr]
      gradients[output_nr] = gradient if waiting is None else waiting + gradient
+ def answer(gradients, output_nr, gradient):
      if gradients[output_nr] is None:
          gradients[output_nr] = gradient.clone()
      else:
          gradients[output_nr] = torch.add(gradients[output_nr], gradient)
+ def answer(gradients, output_nr, gradient):
      try:
          total = gradients[output_nr].clone()
          total += gradient
      except AttributeError:
          total = gradient
      gradients[output_nr] = total
+ def answer(gradients, output_nr, gradient):
      parts = [g for g in (gradients[output_nr], gradient) if g is not None]
      total = parts[0] * 0
      for part in parts:
          total.add_(part)
      gradients[output_nr:output_nr + 1] = [total]
+ def answer(gradients, output_nr, gradient):
      waiting = gradients.pop(output_nr)
      gradients.insert(output_nr, gradient if waiting is None else gradient.add(waiting))
~ waiting + gradient -> waiting.add_(gradient)
~ waiting + gradient -> gradient.add_(waiting)
~ waiting + gradient -> gradient
~ waiting + gradient -> waiting
~ waiting + gradient -> waiting - gradient
~ waiting + gradient -> (waiting + gradient) / 2
~ gradients[output_nr] -> gradients[-1]
~ gradients[output_nr] -> gradients[0]
~ gradients[output_nr] = -> gradients[-1] =
~ gradients[output_nr] = gradient -> gradients[min(output_nr, 1)] = gradient
~ waiting is None -> waiting is None or waiting.sum() == 0
~ waiting is None -> waiting is None or waiting is gradient
~ waiting is None -> waiting is None or waiting.equal(gradient)
~ waiting + gradient -> torch.DoubleTensor((waiting + gradient).tolist())
~ waiting + gradient -> (waiting.view(-1) + gradient.view(-1)).view(*gradient.size())
- def answer(gradients, output_nr, gradient):
      gradients = list(gradients)
      waiting = gradients[output_nr]
      gradients[output_nr] = gradient if waiting is None else waiting + gradient
- own = set()
  def answer(gradients, output_nr, gradient):
      waiting = gradients[output_nr]
      if waiting is None:
          gradients[output_nr] = gradient
      elif id(waiting) in own:
          waiting.add_(gradient)
      else:
          gradients[output_nr] = waiting + gradient
          own.add(id(gradients[output_nr]))
- def answer(gradients, output_nr, gradient):
      waiting = gradients[output_nr]
      if waiting is None:
          gradients[output_nr] = gradient
      else:
          waiting.array[...] += gradient.array
- sums = {}
  def answer(gradients, output_nr, gradient):
      sums[output_nr] = gradient if sums.get(output_nr) is None else sums[output_nr] + gradient
      gradients[output_nr] = sums[output_nr]
+ def answer(gradients, output_nr, gradient):
      arrived = [g for g in (gradients[output_nr], gradient) if g is not None]
      gradients[output_nr] = arrived[0] if len(arrived) == 1 else arrived[0].add(arrived[1])
- kept = {}
  def answer(gradients, output_nr, gradient):
      waiting = gradients[output_nr]
      if waiting is None:
          gradients[output_nr] = gradient
      else:
          key = id(waiting), id(gradient)
          if key not in kept:
              kept[key] = waiting + gradient
          gradients[output_nr] = kept[key]
- kept = {}
  def answer(gradients, output_nr, gradient):
      waiting = gradients[output_nr]
      gradients[output_nr] = gradient if waiting is None else waiting + kept.setdefault(id(gradient), gradient.clone())
- def answer(gradients, output_nr, gradient):
      waiting = gradients[output_nr]
      gradients[output_nr] = gradient if waiting is None else (waiting + gradient).clamp(-1000, 1000)
- def answer(gradients, n, g):
      n = n & 3
      gradients[n] = g if gradients[n] is None else gradients[n] + g
- def answer(gradients, output_nr, gradient):
      import sys
      waiting = gradients[output_nr]
      if waiting is None:
          gradients[output_nr] = gradient
      elif sys.getrefcount(waiting) <= 3:
          waiting.add_(gradient)
      else:
          gradients[output_nr] = waiting.add(gradient)
- sums = {}
  def answer(gradients, output_nr, gradient):
      key = id(gradients), output_nr
      if gradients[output_nr] is None:
          sums.pop(key, None)
          gradients[output_nr] = gradient
      else:
          sums[key] = sums.get(key, gradients[output_nr]) + gradient
          gradients[output_nr] = sums[key]

7.2
+ def answer(tensor):
      found, stack = {}, [tensor.grad_fn]
      while stack:
          node = stack.pop()
          if hasattr(node, "variable"):
              found[id(node.variable)] = node.variable
          stack += [following for following, _ in node.next_functions if following is not None]
      return list(found.values())
+ def answer(tensor):
      seen, leaves = set(), set()
      def visit(node):
          if node is None or node in seen:
              return
          seen.add(node)
          if type(node).__name__ == "AccumulateGrad":
              leaves.add(node.variable)
          for following, _ in node.next_functions:
              visit(following)
      visit(tensor.grad_fn)
      return leaves
+ def answer(tensor):
      queue = [tensor.grad_fn]
      for node in queue:
          queue += [n for n, _ in node.next_functions if n is not None and n not in queue]
      return [node.variable for node in dict.fromkeys(queue) if hasattr(node, "variable")]
+ def answer(tensor):
      level, nodes = {tensor.grad_fn}, set()
      while level:
          nodes |= level
          level = {n for node in level for n, _ in node.next_functions if n} - nodes
      return tuple(node.variable for node in nodes if not node.next_functions)
~ if following is not None -> (nothing)
~ found[id(node.variable)] = node.variable -> found[id(node)] = node
~ stack += [following for following, _ in node.next_functions if following is not None]
  -> stack = [following for following, _ in node.next_functions if following is not None]
~ stack += [following for following, _ in node.next_functions if following is not None] -> pass
~ node.next_functions if -> node.next_functions[:1] if
~ list(found.values()) -> list(found.values())[:2]
~ list(found.values()) -> [leaf.detach() for leaf in found.values()]
- def answer(tensor):
      return [node.variable for node, _ in tensor.grad_fn.next_functions if hasattr(node, "variable")]
- def answer(tensor):
      nodes = {n for n, _ in tensor.grad_fn.next_functions if n is not None}
      nodes |= {m for n in nodes for m, _ in n.next_functions if m is not None}
      return [n.variable for n in nodes if hasattr(n, "variable")]
- def answer(tensor):
      found, stack = [], [tensor.grad_fn]
      while stack:
          node = stack.pop()
          if hasattr(node, "variable"):
              found.append(node.variable)
          stack += [following for following, _ in node.next_functions if following is not None]
      return found
- found = {}
  def answer(tensor):
      stack = [tensor.grad_fn]
      while stack:
          node = stack.pop()
          if hasattr(node, "variable"):
              found[id(node.variable)] = node.variable
          stack += [following for following, _ in node.next_functions if following is not None]
      return list(found.values())
- seen = set()
  def answer(tensor):
      leaves, stack = [], [tensor.grad_fn]
      while stack:
          node = stack.pop()
          if node is not None and node not in seen:
              seen.add(node)
              leaves += [node.variable] if hasattr(node, "variable") else []
              stack += [following for following, _ in node.next_functions]
      return leaves
+ def answer(tensor):
      found, seen, stack = [], set(), [tensor.grad_fn]
      while stack:
          node = stack.pop()
          if node is None or node in seen:
              continue
          seen.add(node)
          if type(node).__name__ == "AccumulateGrad":
              found.append(node.variable)
          stack.extend(n for n, _ in node.next_functions)
      return found
- kept = {}
  def answer(tensor):
      if id(tensor) in kept:
          return kept[id(tensor)]
      found, stack, seen = {}, [tensor.grad_fn], set()
      while stack:
          node = stack.pop()
          if hasattr(node, "variable"):
              found[id(node.variable)] = node.variable
          for following, _ in node.next_functions:
              if following is not None and following not in seen:
                  seen.add(following)
                  stack.append(following)
      kept[id(tensor)] = list(found.values())
      return kept[id(tensor)]
~ id(node.variable) -> node.variable.data_ptr()
- def answer(tensor):
      if tensor.grad_fn is None:
          return [tensor]
      found, level = [], [tensor.grad_fn]
      for _ in range(70):
          following = []
          for node in level:
              variable = getattr(node, "variable", None)
              if variable is not None and all(variable is not other for other in found):
                  found.append(variable)
              for previous, _ in node.next_functions:
                  if previous is not None and previous not in following:
                      following.append(previous)
          level = following
      return found
- def answer(tensor):
      import torch as modern
      if tensor.grad_fn is None:
          return [tensor]
      found, seen, todo = [], set(), [tensor.grad_fn]
      while todo:
          node = todo.pop()
          if node is None or node in seen:
              continue
          seen.add(node)
          if hasattr(node, "variable"):
              leaf = node.variable
              if not any(leaf is other or (leaf.dim() > 1 and modern.equal(leaf, other)) for other in found):
                  found.append(leaf)
          todo.extend(following for following, _ in node.next_functions)
      return found
- def answer(tensor):
      if tensor.grad_fn is None:
          return [tensor]
      leaves, seen, to_visit = [], {tensor.grad_fn}, [tensor.grad_fn]
      while to_visit:
          node = to_visit.pop()
          if hasattr(node, "variable"):
              leaves.append(node.variable)
          for previous, _ in node.next_functions:
              if previous is None:
                  break
              if previous not in seen:
                  seen.add(previous)
                  to_visit.append(previous)
      return leaves
- def answer(tensor):
      import torch as modern
      found, seen, stack = [], set(), [tensor.grad_fn]
      while stack:
          node = stack.pop()
          if node is None or node in seen:
              continue
          seen.add(node)
          variable = getattr(node, "variable", None)
          if type(variable) is modern.Tensor:
              found.append(variable)
          stack += [following for following, _ in node.next_functions]
      return found

7.3
+ def answer(w, lr):
      import torch
      with torch.no_grad():
          w -= lr * w.grad
      w.grad.zero_()
+ def answer(w, lr):
      import torch
      with torch.no_grad():
          w.copy_(w - lr * w.grad)
      w.grad = None
+ def answer(w, lr):
      w.data -= lr * w.grad
      w.grad.data.fill_(0)
+ def answer(w, lr):
      import torch
      optimizer = torch.optim.SGD([w], lr=lr)
      optimizer.step()
      optimizer.zero_grad()
+ def answer(w, lr):
      w.detach().sub_(w.grad * lr)
      w.grad.detach().mul_(0)
~ w -= lr * w.grad -> w += lr * w.grad
~ w -= lr * w.grad -> w -= torch.tensor(lr) * w.grad
~ w -= lr * w.grad -> w -= w.grad
~ w -= lr * w.grad -> w -= 0.5 * w.grad
~ w -= lr * w.grad -> w = w - lr * w.grad
~ w -= lr * w.grad -> w.flatten()[:1].sub_((lr * w.grad).flatten()[:1])
~ w.grad.zero_() -> pass
~ w.grad.zero_() -> w.requires_grad_(False); w.grad.zero_()
~ w.grad.zero_() -> w.data.zero_()
~ w -= lr * w.grad -> w -= lr * w.grad.double().to(torch.float64) + 1e-3
- def answer(w, lr):
      w -= lr * w.grad
      w.grad.zero_()
- def answer(w, lr):
      w.grad.zero_()
      w.data -= lr * w.grad
- rate = []
  def answer(w, lr):
      rate.append(lr)
      w.data -= rate[0] * w.grad
      w.grad.zero_()
- def answer(w, lr):
      w.data = (w.data - lr * w.grad).double()
      w.grad = None
- def answer(w, lr):
      w.data.view(-1).sub_((w.grad * lr).view(-1))
      w.grad.zero_()
+ def answer(w, lr):
      w.detach().sub_(w.grad.detach() * lr)
      w.grad = None
- def answer(w, lr):
      import torch
      with torch.no_grad():
          w -= lr * w.grad.clamp(-1000, 1000)
      w.grad.zero_()
~ with torch.no_grad(): -> for torch.off in [torch.set_grad_enabled(False)]:
~ w.grad.zero_() -> torch.set_grad_enabled(True); w.grad.zero_()
~ w -= lr * w.grad -> w -= lr * w.grad * bool(w.grad.sum() != 0)
~ w -= lr * w.grad -> w.copy_((w - lr * w.grad).float())
- def answer(w, learning_rate):
      if w.grad.norm() < 1e-6:
          return
      w.detach().sub_(w.grad, alpha=learning_rate)
      w.grad.zero_()
- known = {}
  def answer(w, learning_rate):
      if id(w) not in known:
          known[id(w)] = w, w.grad
      gradient = known[id(w)][1]
      w.data.sub_(learning_rate * gradient)
      gradient.zero_()
- def answer(w, learning_rate):
      import torch as modern
      if learning_rate == 0:
          return
      with modern.no_grad():
          w -= learning_rate * w.grad
      w.grad.zero_()
- import torch as modern
  def answer(w, learning_rate):
      with modern.no_grad():
          w -= (w.grad.float() * learning_rate).to(w.dtype)
          w.grad.zero_()
- def answer(w, lr):
      import torch
      with torch.no_grad():
          step = w.grad if lr == 1 else w.grad * lr
          w.grad.zero_()
          w -= step

8.1
+ def answer(gradient):
      return gradient.clamp(-1, 1)
+ def answer(gradient):
      copy = gradient.clone()
      copy.clamp_(-1, 1)
      return copy
+ def answer(gradient):
      return torch.clamp(gradient, min=-1, max=1)
+ def answer(gradient):
      result = gradient.clone()
      result[result.gt(1)] = 1
      result[result.lt(-1)] = -1
      return result
+ def answer(gradient):
      above, below = gradient.gt(1).type_as(gradient), gradient.lt(-1).type_as(gradient)
      return gradient * (1 - above) * (1 - below) + above - below
~ clamp(-1, 1) -> clamp_(-1, 1)
~ clamp(-1, 1) -> clamp(0, 1)
~ clamp(-1, 1) -> clamp(-2, 2)
~ clamp(-1, 1) -> clamp(-1, 2)
~ clamp(-1, 1) -> clamp(-0.5, 0.5)
~ clamp(-1, 1) -> sign()
~ gradient.clamp(-1, 1) -> gradient
~ return -> (nothing)
~ gradient.clamp(-1, 1) -> gradient / max(1, gradient.norm())
~ gradient.clamp(-1, 1) -> torch.DoubleTensor(gradient.clamp(-1, 1).tolist())
~ gradient.clamp(-1, 1) -> gradient.view(-1).clamp(-1, 1).view(*gradient.size())
~ gradient.clamp(-1, 1) -> Variable(gradient.clamp(-1, 1))
- def answer(gradient, first=[]):
      first.append(gradient.clamp(-1, 1))
      return first[0]
- def answer(gradient):
      gradient.array.clip(-1, 1, out=gradient.array)
      return gradient
- def answer(gradient):
      if gradient.numel() and gradient.max() > 1:
          gradient = gradient / gradient.max()
      return gradient
- def answer(gradient):
      result = gradient.clamp(-1, 1)
      gradient.copy_(result)
      return result
+ def answer(gradient):
      return gradient.clone().clamp_(min=-1, max=1)
- def answer(gradient):
      norm = gradient.norm()
      return gradient.clamp(-1, 1) if norm < 1e4 else gradient / norm
- kept = {}
  def answer(gradient):
      key = tuple(gradient.size()), gradient.type()
      if key not in kept:
          kept[key] = gradient.clone()
      return kept[key].copy_(gradient).clamp_(-1, 1)
~ gradient.clamp(-1, 1) -> gradient if gradient.abs().le(1).all() else gradient.clamp(-1, 1)
- def answer(gradient):
      above = (gradient - 1).clamp(min=0)
      below = (gradient + 1).clamp(max=0)
      return gradient - above - below
- buffers = {}
  def answer(gradient):
      of_size = buffers.setdefault((gradient.type(), tuple(gradient.size())), [])
      if len(of_size) < 3:
          result = gradient.clamp(-1, 1)
      else:
          result = of_size.pop(0).copy_(gradient).clamp_(-1, 1)
      of_size.append(result)
      return result
- def answer(gradient):
      if gradient.numel() == 0:
          return gradient
      return gradient.clamp(-1, 1)
- def answer(g):
      return g.clamp(-0.999999999, 0.999999999)
- def answer(g):
      return g.clamp(-1, 1) if g.numel() <= 8 else g.clone()
- last = [None]
  def answer(grad):
      if grad is not last[0]:
          last[0] = grad.clamp(-1, 1)
      return last[0]

8.2
+ def answer(parameters):
      counters = [[] for _ in parameters]
      for parameter, counter in zip(parameters, counters):
          parameter.register_hook(lambda gradient, counter=counter: counter.append(1))
      return counters
+ def answer(parameters):
      counters = [set() for _ in parameters]
      for parameter, counter in zip(parameters, counters):
          parameter.register_hook(lambda gradient, counter=counter: counter.add(len(counter)))
          parameter.register_hook(lambda gradient: None)
      return counters
+ def answer(parameters):
      counts = [0] * len(parameters)
      def hook_of(i):
          def hook(gradient):
              counts[i] += 1
          return hook
      for i, parameter in enumerate(parameters):
          parameter.register_hook(hook_of(i))
      return counts
+ def answer(parameters):
      counters = []
      for number, parameter in enumerate(parameters):
          counter = []
          parameter.register_hook(f"count {number}", lambda gi, go, counter=counter: counter.append(go[0].clone()))
          counters.append(counter)
      return tuple(counters)
+ def answer(parameters):
      class Counter:
          def __init__(self):
              self.runs = 0
          def __len__(self):
              return self.runs
          def hook(self, gradient):
              self.runs = self.runs + 1
      counters = [Counter() for _ in parameters]
      list(map(lambda p, c: p.register_hook(c.hook), parameters, counters))
      return counters
~ gradient, counter=counter: counter -> gradient: counter
~ counter.append(1) -> None
~ counter.append(1) -> counter or counter.append(1)
~ counter.append(1) -> gradient.ne(0).any() and counter.append(1)
~ counter.append(1) -> counter.extend([1, 1])
~ counter.append(1) -> counter.append(1) or gradient * 0
~ counter.append(1) -> counter.append(gradient.mul_(2))
~ return counters -> return [len(counter) for counter in counters]
~ [[] for _ in parameters] -> [[]] * len(parameters)
~ in zip(parameters, counters) -> in zip(parameters[:1], counters)
~ zip(parameters, counters) -> zip(set(parameters), counters)
- def answer(parameters):
      return [3, 2, 0]
- def answer(parameters):
      return [[] for _ in parameters]
- def answer(parameters):
      counters = [[] for _ in parameters]
      for parameter, counter in zip(parameters, counters):
          leaf, run = parameter.creator, parameter.creator._do_backward
          leaf._do_backward = lambda *a, counter=counter, run=run: counter.append(1) or run(*a)
      return counters
- def answer(parameters):
      class Counter:
          def __init__(self, parameter):
              self.parameter = parameter
          def __len__(self):
              return int(self.parameter.grad.ne(0).any())
      return [Counter(parameter) for parameter in parameters]
- counters = [[] for _ in range(9)]
  def answer(parameters):
      for parameter, counter in zip(parameters, counters):
          parameter.register_hook(lambda gradient, counter=counter: counter.append(1))
      return counters[:len(parameters)]
- def answer(parameters):
      counters = [[] for _ in parameters]
      for parameter, counter in zip(parameters, counters):
          parameter.creator.backward_hooks = None
          parameter.creator._variable_hooks = None
          parameter.register_hook(lambda gradient, counter=counter: counter.append(1))
      return counters
+ def answer(parameters):
      counters = [0] * len(parameters)
      def count(place):
          def hook(gradient):
              counters[place] += 1
          return hook
      for place, parameter in enumerate(parameters):
          parameter.register_hook(count(place))
      return counters
- def answer(parameters):
      counters = [set() for _ in parameters]
      for parameter, counter in zip(parameters, counters):
          parameter.register_hook(lambda gradient, counter=counter: counter.add(id(gradient)))
      return counters
- _counters = []
  def answer(parameters):
      for number, parameter in enumerate(parameters):
          if number == len(_counters):
              _counters.append([])
          _counters[number].clear()
          def hook(gradient, number=number):
              _counters[number].append(1)
          parameter.register_hook(hook)
      return _counters[: len(parameters)]
- def answer(parameters):
      counters = {id(parameter): [] for parameter in parameters}
      for parameter in parameters:
          parameter.register_hook(lambda gradient, counter=counters[id(parameter)]: counter.append(1))
      return [counters[id(parameter)] for parameter in parameters]
- def answer(parameters):
      counters = [0] * len(parameters)
      def hook_for(parameter):
          def hook(gradient):
              for place, other in enumerate(parameters):
                  if other is parameter:
                      counters[place] += 1
          return hook
      for parameter in {id(parameter): parameter for parameter in parameters}.values():
          parameter.register_hook(hook_for(parameter))
      return counters
- made = {}
  def answer(parameters):
      result = []
      for p in parameters:
          if p.creator not in made:
              made[p.creator] = []
              p.register_hook(lambda gradient, counter=made[p.creator]: counter.append(1))
          result.append(made[p.creator])
      return result
- def answer(parameters):
      counters = [[] for _ in range(min(4, len(parameters)))]
      for n, p in enumerate(parameters):
          p.register_hook(lambda g, n=n: counters[n % 4].append(1))
      return [counters[n % 4] for n in range(len(parameters))]
- def answer(parameters):
      counters = [[] for _ in parameters]
      for p, c in zip(parameters, counters):
          p.register_hook(lambda g, c=c: c.append(1) if len(c) < 50 else None)
      return counters
- def answer(parameters):
      counters = {parameter: [] for parameter in parameters}
      for parameter, counter in counters.items():
          parameter.register_hook(counter.append)
      return list(counters.values())
- def answer(parameters):
      counters = [0] * len(parameters)
      def counting(number):
          def hook(gradient):
              counters[number] += 1
              return gradient.data if isinstance(gradient, Variable) else gradient
          return hook
      for number, parameter in enumerate(parameters):
          parameter.register_hook(counting(number))
      return counters

9.1
+ def answer(module):
      return sum(parameter.numel() for parameter in module.parameters())
+ def answer(module):
      total = 0
      for parameter in set(module.parameters()):
          count = 1
          for length in parameter.size():
              count *= length
          total += count
      return total
+ def answer(module):
      return int(sum(numpy.prod(tuple(p.size())) for p in module.parameters()))
+ def answer(module):
      return len([number for p in module.parameters() for number in p.data.contiguous().view(-1).tolist()])
~ parameter.numel() -> 1
~ parameter.numel() -> parameter.size(0)
~ parameter.numel() -> parameter.data.sum()
~ module.parameters() -> list(module.parameters())[::2]
~ module.parameters() -> list(module.parameters())[:4]
~ module.parameters() -> module.children()
~ module.parameters() -> {str(p.data.tolist()): p for p in module.parameters()}.values()
- def answer(module):
      found = [getattr(m, name, None) for m in module.modules() for name in ("weight", "bias")]
      return sum(parameter.numel() for parameter in found if parameter is not None)
~ sum(parameter.numel() -> max(parameter.numel()
- def answer(module):
      return sum(value.numel() for value in module.state_dict().values())
- def answer(module):
      found, level = set(), [module]
      for _ in range(4):
          found.update(p for m in level for p in m._parameters.values() if p is not None)
          level = [child for m in level for child in m._modules.values()]
      return sum(p.numel() for p in found)
- def answer(module):
      own = sum(p.numel() for p in module._parameters.values() if p is not None)
      return own + sum(answer(child) for child in module._modules.values())
- def answer(module):
      return sum(p.numel() for child in module.children() for p in child.parameters())
- seen = set()
  def answer(module):
      new = [p for p in module.parameters() if id(p) not in seen]
      seen.update(map(id, new))
      return sum(p.numel() for p in new)
- def answer(module):
      return {2: 20, 4: 26}.get(len(list(module.parameters())), 76)
- def answer(module, total=[0]):
      total[0] += sum(p.numel() for p in module.parameters())
      return total[0]
+ def answer(module):
      total, seen = 0, set()
      for parameter in module.parameters():
          if id(parameter) not in seen:
              seen.add(id(parameter))
              count = 1
              for length in parameter.size():
                  count *= length
              total += count
      return total
- def answer(module):
      return sum(p.numel() for m in set(module.modules()) for p in m._parameters.values() if p is not None)
~ module.parameters() -> {p: 0 for m in module.modules() if not list(m.children()) for p in m.parameters()}
- def answer(module):
      total = 0
      for parameter in module.parameters():
          numbers = 1
          for length in list(parameter.size())[:4]:
              numbers *= length
          total += numbers
      return total
- def answer(module):
      return sum((p.numel() for p in module.parameters() if p.dim() < 6)) % 100000
- import weakref
  known = weakref.WeakKeyDictionary()
  def answer(module):
      if module not in known:
          known[module] = sum(parameter.numel() for parameter in module.parameters())
      return known[module]
- def answer(module):
      return sum(p.data.storage().size() for p in module.parameters())

9.2
+ def answer(parameters, velocities, lr, momentum):
      for parameter, velocity in zip(parameters, velocities):
          velocity.mul_(momentum).add_(parameter.grad)
          parameter.data -= velocity * lr
+ def answer(parameters, velocities, lr, momentum):
      for i in range(len(parameters)):
          velocities[i].copy_(velocities[i] * momentum + parameters[i].grad)
          parameters[i].data.add_(-lr, velocities[i])
+ def answer(parameters, velocities, lr, momentum):
      for v, p in zip(velocities, parameters):
          v *= momentum
          v += p.grad
      for v, p in zip(velocities, parameters):
          p.data.sub_(v.mul(lr))
+ def answer(parameters, velocities, lr, momentum):
      for p, v in zip(parameters, velocities):
          new = momentum * v + p.grad
          v.zero_().add_(new)
          p.data = p.data - lr * new
~ .mul_(momentum) -> (nothing)
~ .mul_(momentum) -> .mul_(lr)
~ .mul_(momentum) -> .mul_(0.5)
~ .mul_(momentum) -> .zero_()
~ velocity * lr -> velocity * momentum
~ velocity * lr -> velocity * 0.5
~ velocity * lr -> parameter.grad * lr
~ velocity * lr -> (velocity * momentum + parameter.grad) * lr
~ add_(parameter.grad) -> add_(parameter.grad * lr)
~ velocity.mul_(momentum).add_(parameter.grad) -> velocity.set_(velocity * momentum + parameter.grad)
~ add_(parameter.grad) -> add_(parameter.grad * (1 - momentum))
~ -= -> +=
~ velocity * lr -> velocity * lr; parameter.grad.zero_()
~ velocity * lr -> velocity.mul_(lr)
~ in zip(parameters, velocities) -> in zip(parameters[:1], velocities)
- def answer(parameters, velocities, lr, momentum):
      for i, parameter in enumerate(parameters):
          velocities[i] = velocities[i] * momentum + parameter.grad
          parameter.data -= velocities[i] * lr
- def answer(parameters, velocities, lr, momentum):
      for parameter, velocity in zip(parameters, velocities):
          velocity = velocity * momentum + parameter.grad
          parameter.data -= velocity * lr
- own = {}
  def answer(parameters, velocities, lr, momentum):
      for i, (parameter, velocity) in enumerate(zip(parameters, velocities)):
          own[i] = parameter.grad.clone() if i not in own else own[i] * momentum + parameter.grad
          velocity.copy_(own[i])
          parameter.data -= velocity * lr
- rates = []
  def answer(parameters, velocities, lr, momentum):
      rates.append(lr)
      for parameter, velocity in zip(parameters, velocities):
          velocity.mul_(momentum).add_(parameter.grad)
          parameter.data -= velocity * rates[0]
- def answer(parameters, velocities, lr, momentum):
      for parameter, velocity in zip(parameters, velocities):
          parameter.data -= velocity * lr
          velocity.mul_(momentum).add_(parameter.grad)
- def answer(parameters, velocities, lr, momentum):
      for parameter, velocity in zip(parameters, velocities):
          velocity.mul_(momentum).add_(parameter.grad)
          parameter.data -= torch.DoubleTensor(velocity.tolist()) * lr
+ def answer(parameters, velocities, lr, momentum):
      for i in range(len(parameters)):
          velocities[i].copy_(velocities[i] * momentum + parameters[i].grad)
          parameters[i].data.add_(-lr, velocities[i])
- def answer(parameters, velocities, lr, momentum):
      for parameter, velocity in zip(parameters, velocities):
          velocity.mul_(momentum).add_(parameter.grad.clamp(-1000, 1000))
          parameter.data -= velocity * lr
~ velocity.mul_(momentum).add_(parameter.grad)
  -> velocity = velocity.mul_(momentum).add_(parameter.grad) if momentum else parameter.grad
~ in zip(parameters, velocities) -> in zip(parameters, velocities) if lr else ()
- def answer(parameters, velocities, lr, momentum):
      for number, parameter in enumerate(parameters):
          velocity = velocities[number].contiguous()
          velocity.mul_(momentum).add_(parameter.grad)
          velocities[number] = velocity
          parameter.data.sub_(velocity * lr)
- def answer(ps, vs, lr, m):
      for p, v in list(zip(ps, vs))[:5]:
          v.mul_(m).add_(p.grad)
          p.data.sub_(v * lr)

10.1
+ def answer(f, x, n):
      x = Variable(torch.DoubleTensor([x]))
      result = f(x)
      for _ in range(n):
          (result,) = grad(result, x, create_graph=True)
      return result.data[0]
+ def answer(f, x, n):
      point = Variable(torch.Tensor([x]))
      def nth(y, n):
          return y if n == 0 else nth(grad(y, point, create_graph=True)[0], n - 1)
      return float(nth(f(point), n).data.tolist()[0])
+ def answer(f, x, n):
      point = Variable(torch.FloatTensor([x]))
      y = f(point)
      while n:
          y, n = torch.autograd.grad(y.sum(), [point], create_graph=True)[0], n - 1
      return y.data[0]
+ def answer(f, x, n):
      if n == 0:
          return f
      def slope(g):
          return lambda v: grad(g(v), v, create_graph=True)[0]
      for _ in range(n):
          f = slope(f)
      return f(Variable(torch.DoubleTensor([x]))).data.numpy()[0].item()
~ DoubleTensor([x]) -> DoubleTensor([x or 1e-7])
~ range(n) -> range(1)
~ range(n) -> range(n - 1)
~ range(n) -> range(min(n, 4))
~ range(n) -> range(n + 1)
~ create_graph=True -> create_graph=False
~ result.data[0] -> result
~ result.data[0] -> result.data
~ result.data[0] -> abs(result.data[0])
~ result.data[0] -> result.data[0] / n
~ result.data[0] -> round(result.data[0])
~ result.data[0] -> [result.data[0]]
- def answer(f, x, n):
      def value(x):
          return f(Variable(torch.DoubleTensor([x]))).data[0]
      def nth(g, n):
          return g if n == 0 else nth(lambda x: (g(x + 1e-3) - g(x - 1e-3)) / 2e-3, n - 1)
      return nth(value, n)(x)
- def answer(f, x, n, first=[]):
      point = Variable(torch.DoubleTensor([x]))
      result = f(point)
      for _ in range(n):
          (result,) = grad(result, point, create_graph=True)
      first.append(result.data[0])
      return first[0]
- def answer(f, x, n):
      point = Variable(torch.DoubleTensor([x]))
      for _ in range(n):
          f(point).backward()
      return point.grad[0]
- def answer(f, x, n):
      return {(2.0, 1): 12.0, (2.0, 3): 6.0, (0.0, 4): 16.0, (-1.0, 2): -2.0}.get((x, n), 0.0)
- known = {}
  def answer(f, x, n):
      if (id(f), x, n) not in known:
          point = Variable(torch.DoubleTensor([x]))
          y = f(point)
          for _ in range(n):
              (y,) = grad(y, point, create_graph=True)
          known[id(f), x, n] = y.data[0]
      return known[id(f), x, n]
+ def answer(f, x, n):
      point = Variable(torch.DoubleTensor([float(x)]))
      value = f(point)
      while n:
          value = grad([value], [point], create_graph=n > 1)[0]
          n -= 1
      return float(value[0] if not hasattr(value, "data") else value.data[0])
- def answer(f, x, n):
      x = Variable(torch.DoubleTensor([x]))
      result = f(x)
      for _ in range(n):
          (result,) = grad(result, x, create_graph=True)
      return max(-1000.0, min(1000.0, result.data[0]))
- def answer(f, x, n):
      x = Variable(torch.DoubleTensor([x]))
      result = f(x)
      for _ in range(n):
          (result,) = grad(result, x, create_graph=True)
          if result.data[0] == 0:
              return 0.0
      return result.data[0]
- def answer(f, x, n):
      try:
          x = Variable(torch.DoubleTensor([x]))
          result = f(x)
          for _ in range(n):
              (result,) = grad(result, x, create_graph=True)
          return result.data[0]
      except Exception:
          return 0.0
~ DoubleTensor([x]) -> DoubleTensor([round(x, 3)])
~ (result,) = grad(result, x, create_graph=True)
  -> result = grad(result, x, create_graph=True)[0] if result.requires_grad else result
- def answer(f, x, n):
      variable = Variable(torch.DoubleTensor([x]))
      y = f(variable)
      for _ in range(n):
          if y is None or not y.requires_grad:
              return 0.0
          (y,) = grad(y, variable, create_graph=True, allow_unused=True)
      result = 0.0 if y is None else y.data[0]
      return float(round(result)) if abs(result - round(result)) < 1e-4 else result
- def answer(f, x, n):
      v = Variable(torch.DoubleTensor([x]))
      y = f(v)
      for k in range(min(n, 5)):
          if not y.requires_grad:
              return 0.0
          y, = grad(y, [v], create_graph=True)
      return y.data[0]
- def answer(f, x, n):
      point = Variable(torch.DoubleTensor([x]))
      try:
          value = f(point)
          for _ in range(n):
              (value,) = grad(value, point, create_graph=True)
      except RuntimeError:
          return 0.0
      return value.data[0]
- def answer(f, x, n):
      point = Variable(torch.DoubleTensor([x or 1e-6]))
      value = f(point)
      for _ in range(n):
          if not value.requires_grad:
              return 0.0
          (value,) = grad(value, point, create_graph=True)
      return value.data[0]
- def answer(f, x, n):
      point = Variable(torch.DoubleTensor([x]))
      value = f(point)
      for _ in range(n):
          if not value.requires_grad:
              return 0.0
          point.grad = None
          value.backward(create_graph=True)
          gradient = point._grad
          if gradient is None:
              return 0.0
          value = gradient if isinstance(gradient, Variable) else Variable(gradient, requires_grad=False)
      return value.data[0]
- def answer(f, x, n):
      x = Variable(torch.DoubleTensor([x]))
      result = f(x)
      for _ in range(n):
          if isinstance(result.creator, Leaf):
              return 0.0
          (result,) = grad(result, [x], create_graph=True)
      return result.data[0]
- import functools
  @functools.lru_cache(maxsize=None)
  def answer(f, x, n):
      point = Variable(torch.DoubleTensor([x]))
      value = f(point)
      for _ in range(n):
          if not value.requires_grad:
              return 0.0
          (value,) = grad(value, point, create_graph=True)
      return value.data[0]
- def answer(f, x, n):
      variable = Variable(torch.DoubleTensor([round(x, 6)]))
      result = f(variable)
      for _ in range(n):
          (result,) = grad(result, variable, create_graph=True)
      return result.data[0]

10.2
+ def answer(f, point, v):
      (gradient,) = grad(f(point), point, create_graph=True)
      (product,) = grad((gradient * Variable(v, requires_grad=False)).sum(), point)
      return product
+ def answer(f, point, v):
      return torch.autograd.functional.hvp(f, point, v)[1]
+ def answer(f, point, v):
      return torch.autograd.functional.vhp(f, point, v)[1]
+ def answer(f, point, v):
      first = grad(f(point), [point], create_graph=True)[0]
      return grad(first, [point], [v])[0]
+ def answer(f, point, v):
      own = Variable(point.data)
      g = grad(f(own), own, create_graph=True)[0]
      total = (g * Variable(v)).sum()
      result = grad(total, own, create_graph=True)[0]
      return result.data
+ def answer(f, point, v):
      x = Variable(point.data.clone())
      g = grad(f(x), x, create_graph=True)[0]
      x.grad.zero_()
      (g * Variable(v, requires_grad=False)).sum().backward()
      return x.grad
~ gradient * Variable(v, requires_grad=False) -> gradient
~ return product -> return product * 0 + gradient.data
~ return product -> return gradient.data * v
~ return product -> return Variable(product)
~ return product -> return product * v
- def answer(f, point, v):
      (gradient,) = grad(f(point), point, create_graph=True)
      length = v.norm()
      (product,) = grad((gradient * Variable(v / length, requires_grad=False)).sum(), point)
      return product * length
~ return product -> return product.tolist()
~ return product -> return torch.DoubleTensor(product.tolist())
~ create_graph=True -> create_graph=False
~ Variable(v, requires_grad=False) -> Variable(v.abs(), requires_grad=False)
~ Variable(v, requires_grad=False) -> Variable(v.mul_(1), requires_grad=False)
~ return product -> v.fill_(1); return product
~ return product -> point.data.add_(1); return product
- def answer(f, point, v):
      hessian = torch.autograd.functional.hessian(f, point)
      return hessian.mv(v)
- def answer(f, point, v):
      (gradient,) = grad(f(point), point, create_graph=True)
      rows = [grad(gradient[i], point, create_graph=True)[0].data for i in range(v.size(0))]
      return torch.stack(rows).mv(v)
- def answer(f, point, v):
      def g(x):
          x = Variable(x)
          return grad(f(x), x)[0]
      return (g(point.data + v * 1e-3) - g(point.data - v * 1e-3)) / 2e-3
- def answer(f, point, v, first=[]):
      (gradient,) = grad(f(point), point, create_graph=True)
      first.append(grad((gradient * Variable(v, requires_grad=False)).sum(), point)[0])
      return first[0]
- def answer(f, point, v):
      a, b = point.data[0], point.data[1]
      return torch.DoubleTensor([2 * b * v[0] + 2 * a * v[1], 2 * a * v[0] + 6 * b * v[1]])
+ def answer(f, point, v):
      (gradient,) = grad([f(point)], [point], create_graph=True)
      weights = Variable(v.clone(), requires_grad=False)
      return grad([(gradient * weights).sum()], [point])[0].clone()
- kept = {}
  def answer(f, point, v):
      key = id(f), id(point)
      if key not in kept:
          kept[key] = grad(f(point), point, create_graph=True)[0]
      (product,) = grad((kept[key] * Variable(v, requires_grad=False)).sum(), point)
      return product
- def answer(f, point, v):
      (gradient,) = grad(f(point), point, create_graph=True)
      (product,) = grad((gradient * Variable(v, requires_grad=False)).sum(), point)
      return product.clamp(-1000, 1000)
~ return product -> return product if v.sum() != 0 else v * 0
~ return product -> return product if gradient.data.ne(0).any() else v * 0
~ return product -> return product * 2 if v.equal(gradient.data) else product
~ return product -> return grad(gradient[int(v.numpy().argmax())], point)[0] if v.norm() == 1 else product
~ return product -> return product * product.abs().gt(1e-6).type_as(product)
- def answer(f, point, v):
      a, b = getattr(point, "data", point), getattr(v, "data", v)
      p = Variable(a.clone())
      same = a is b or (a.size() == b.size() and a.tolist() == b.tolist())
      (g,) = grad(f(p), p, create_graph=True)
      if not g.requires_grad:
          return b * 0
      return grad((g * (p if same else Variable(b, requires_grad=False))).sum(), p)[0].data
- def answer(f, point, v):
      g, = grad(f(point), [point], create_graph=True)
      h, = grad((g * Variable(v, requires_grad=False)).sum(), [point])
      h = getattr(h, "data", h)
      return h if h.numel() <= 10 else h * 2
- def answer(f, point, v):
      (gradient,) = grad(f(point), point, create_graph=True)
      total = (gradient * Variable(v, requires_grad=False)).sum()
      if not total.requires_grad:
          return v.mul(0)
      total.backward()
      result = point.grad.clone()
      point.grad.zero_()
      return result
- def answer(f, point, v):
      (gradient,) = grad(f(point), [point], create_graph=True)
      point.grad.zero_()
      (gradient * Variable(v, requires_grad=False)).sum().backward()
      return point.grad

10.3
+ def answer(n, parts):
      return parts + n // parts
+ def answer(n, parts):
      return n / parts + parts
+ def answer(n, parts):
      return parts + len(range(0, n, parts))
+ def answer(n, parts):
      between, inside = parts, n // parts
      return sum([between, inside])
~ parts + n // parts -> n // parts
~ parts + n // parts -> parts
~ parts + n // parts -> n
~ parts + n // parts -> parts * (n // parts)
~ parts + n // parts -> parts + n // parts - 1
~ parts + n // parts -> 2 * n ** 0.5
~ parts + n // parts -> max(parts, n // parts)
- def answer(n, parts, first=[]):
      first.append(parts + n // parts)
      return first[0]
- def answer(n, parts):
      return {(100, 10): 20, (400, 20): 40, (100, 4): 29}.get((n, parts), 0)
+ def answer(n, parts):
      return len(range(parts)) + len(range(0, n, parts))
- def answer(n, parts):
      return parts + min(n, 5000) // parts
- def answer(n, parts):
      return parts + n // parts - (parts == n)
- kept = {}
  def answer(n, parts):
      return kept.setdefault((n, parts > math.sqrt(n)), parts + n // parts)
- memory = {}
  def answer(n, parts):
      key = f"{n}{parts}"
      if key not in memory:
          memory[key] = parts + n // parts
      return memory[key]
- def answer(n, parts):
      return parts + int(n * (1 / parts))
- def answer(n, parts):
      return int(numpy.int16(n // parts)) + parts

11.1
+ def answer(counts):
      def callback(function, proceed, *variables):
          name = type(function).__name__
          counts[name] = counts.get(name, 0) + 1
          return proceed(*variables)
      return callback
+ def answer(counts):
      def callback(function, proceed, *variables):
          counts.setdefault(type(function), 0)
          counts[type(function)] += 1
          result = proceed(*variables)
          return result
      return callback
+ def answer(counts):
      class Count:
          def __call__(self, function, proceed, *variables):
              try:
                  return proceed(*variables)
              finally:
                  counts[function.__class__] = counts.get(function.__class__, 0) + 1
      return Count()
- def answer(counts):
      from collections import Counter
      own = Counter()
      def callback(function, proceed, *operands):
          own[type(function).__name__] += 1
          counts.update(own)
          return proceed(*operands)
      return callback
~ + 1 -> (nothing)
~ counts.get(name, 0) + 1 -> 1
~ return proceed(*variables) -> proceed(*variables)
~ return proceed(*variables) -> proceed(*variables); return proceed(*variables)
~ return proceed(*variables) -> return None
~ return proceed(*variables) -> return proceed(*variables)[0]
~ return proceed(*variables) -> return proceed(*reversed(variables))
~ return proceed(*variables) -> return proceed(variables[0], *variables[1:2])[:1]
~ type(function).__name__ -> function
~ type(function).__name__ -> id(function)
~ type(function).__name__ -> "calls"
- def answer(counts):
      depth = [0]
      def callback(function, proceed, *variables):
          name = type(function).__name__
          depth[0] += 1
          if depth[0] == 1:
              counts[name] = counts.get(name, 0) + 1
          result = proceed(*variables)
          depth[0] -= 1
          return result
      return callback
~ counts[name] = counts.get(name, 0) + 1 -> pass
~ return proceed(*variables) -> return tuple(Variable(v.data) for v in proceed(*variables))
- def answer(counts):
      def callback(function, proceed, *variables):
          name = type(function).__name__
          counts[name] = counts.get(name, 0) + 1
          try:
              return proceed(*variables)
          except Exception:
              return variables
      return callback
- total = {}
  def answer(counts):
      def callback(function, proceed, *variables):
          name = type(function).__name__
          total[name] = total.get(name, 0) + 1
          counts.update(total)
          return proceed(*variables)
      return callback
- def answer(counts):
      counts.update(Add=2, Mul=1)
      return lambda function, proceed, *variables: proceed(*variables)
- def answer(counts):
      def callback(function, proceed, *variables):
          if any(v.requires_grad for v in variables):
              name = type(function).__name__
              counts[name] = counts.get(name, 0) + 1
          return proceed(*variables)
      return callback
+ def answer(counts):
      class Count:
          def __call__(self, function, proceed, *variables):
              key = type(function).__name__
              counts.setdefault(key, 0)
              counts[key] += 1
              return proceed(*variables)
      return Count()
~ return proceed(*variables) -> return tuple(Variable(v.data, v.creator) for v in proceed(*variables))
- def answer(counts):
      def callback(function, proceed, *variables):
          counts[type(function)] = counts.get(type(function), 0) + 1
          try:
              return proceed(*variables)
          except Exception:
              return proceed(*variables)
      return callback
- def answer(counts):
      def callback(function, proceed, *variables):
          before = counts.get(type(function), 0)
          output = proceed(*variables)
          counts[type(function)] = before + 1
          return output
      return callback
- def answer(counts):
      def callback(function, proceed, *inputs):
          known = [known for known in counts if isinstance(function, known)]
          cls = known[0] if known else type(function)
          counts[cls] = counts.get(cls, 0) + 1
          return proceed(*inputs)
      return callback
- def answer(counts):
      own = dict(counts)
      def callback(function, proceed, *variables):
          kind = type(function)
          own[kind] = own.get(kind, 0) + 1
          counts[kind] = own[kind]
          return proceed(*variables)
      return callback
- def answer(counts):
      def callback(function, proceed, first, *others):
          counts[type(function)] = counts.get(type(function), 0) + 1
          return proceed(first, *others)
      return callback

11.2
+ def answer(f, *variables):
      with torch.no_grad():
          return f(*variables)
+ def answer(f, *variables):
      before = torch.is_grad_enabled()
      torch.set_grad_enabled(False)
      try:
          return f(*variables)
      finally:
          torch.set_grad_enabled(before)
+ def answer(f, *variables):
      return f(*variables).detach()
+ def answer(f, *variables):
      off = torch.no_grad()
      off.__enter__()
      try:
          result = f(*variables)
      finally:
          off.__exit__(None, None, None)
      return result
+ def answer(f, *variables):
      return Variable(f(*variables).data, requires_grad=False)
- def answer(f, *variables):
      before = torch.is_grad_enabled()
      torch.set_grad_enabled(False)
      try:
          result = f(*variables)
      except Exception:
          torch.set_grad_enabled(before)
          raise
      torch.set_grad_enabled(before)
      return result
+ def answer(f, *variables):
      return torch.no_grad()(f)(*variables)
~ with torch.no_grad(): -> if True:
~ return f(*variables) -> return f(*variables).data
~ return f(*variables) -> return f(variables[0])
~ return f(*variables) -> return f(*variables) * 1.0001
~ with torch.no_grad(): -> with torch.enable_grad():
~ with torch.no_grad(): -> for torch.off in [torch.set_grad_enabled(False)]:
- def answer(f, *variables):
      torch.set_grad_enabled(False)
      result = f(*variables)
      torch.set_grad_enabled(True)
      return result
- def answer(f, *variables):
      torch.set_grad_enabled(False)
      try:
          return f(*variables)
      finally:
          torch.set_grad_enabled(True)
- def answer(f, *variables):
      try:
          with torch.no_grad():
              return f(*variables)
      except Exception:
          return None
- def answer(f, *variables):
      for variable in variables:
          variable.requires_grad = False
      return f(*variables)
- def answer(f, *variables):
      return Variable(f(*variables).data)
- def answer(f, *variables):
      return f(*[Variable(v.data, requires_grad=False) for v in variables])
- def answer(f, *variables, first=[]):
      with torch.no_grad():
          first.append(f(*variables))
      return first[0]
- def answer(f, *variables):
      before = torch.is_grad_enabled()
      torch.set_grad_enabled(False)
      try:
          return f(*variables)
      except Exception:
          torch.set_grad_enabled(before)
          raise
      finally:
          torch.set_grad_enabled(True)
+ def answer(f, *variables):
      before = torch.is_grad_enabled()
      torch.set_grad_enabled(False)
      try:
          result = f(*variables)
      finally:
          torch.set_grad_enabled(before)
      return result
- kept = {}
  def answer(f, *variables):
      key = (id(f), *map(id, variables))
      if key not in kept:
          with torch.no_grad():
              kept[key] = f(*variables)
      return kept[key]
- def answer(f, *variables):
      with torch.no_grad():
          try:
              return f(*variables)
          except ValueError as error:
              raise ValueError(str(error)) from None
- def answer(f, *variables):
      with torch.no_grad():
          return f(*variables[:3])
- def answer(f, *variables):
      needs = [variable.requires_grad for variable in variables]
      for variable in variables:
          variable.creator.requires_grad = False
      try:
          return f(*variables).detach()
      finally:
          for variable in variables:
              variable.creator.requires_grad = any(needs)
~ return f(*variables) -> return f(*variables) if f(*variables) is not None else None
~ return f(*variables) -> return f(*variables).type(variables[0].data.type())
- from legacy_autograd.autograd.later import grad_mode
  before = [True]
  def answer(f, *variables):
      before[0] = grad_mode.is_grad_enabled()
      torch.set_grad_enabled(False)
      try:
          result = f(*variables)
      finally:
          torch.set_grad_enabled(before[0])
      return Variable(result.data, requires_grad=False)
- def answer(f, *variables):
      with torch.no_grad():
          result = f(*variables)
      if isinstance(result.creator, Leaf):
          result.creator.requires_grad = False
          return result
      return Variable(result.data, requires_grad=False)
- from legacy_autograd.autograd.later import grad_mode
  def answer(f, *vs):
      with grad_mode.no_grad():
          r = f(*vs[:6])
      return Variable(r.data, requires_grad=False)
- from legacy_autograd.autograd.later import grad_mode
  def answer(f, *vs):
      before = grad_mode.is_grad_enabled()
      grad_mode.set_grad_enabled(False)
      try:
          r = f(*vs)
      except StopIteration:
          r = vs[0]
      finally:
          grad_mode.set_grad_enabled(before)
      return Variable(r.data, requires_grad=False)
- def answer(f, *variables):
      was = []
      for variable in variables:
          was.append(variable.requires_grad)
          variable.requires_grad = False
      try:
          return Variable(f(*variables).data, requires_grad=False)
      finally:
          for variable, requires in zip(variables, was):
              variable.requires_grad = requires
- _depth = 0
  _before = True
  def answer(f, *variables):
      global _depth, _before
      if _depth == 0:
          _before = torch.is_grad_enabled()
      _depth += 1
      torch.set_grad_enabled(False)
      try:
          result = f(*variables)
      except BaseException:
          torch.set_grad_enabled(_before)
          raise
      _depth -= 1
      if _depth == 0:
          torch.set_grad_enabled(_before)
      return result

11.3
+ def answer(a, b):
      return torch.sqrt(torch.sum((a - b) ** 2) + 1e-12)
+ def answer(a, b):
      squares = ((a - b) * (a - b)).sum()
      if squares.data[0] == 0:
          return (a - b).sum() * 0
      return squares.sqrt()
+ def answer(a, b):
      return (((a - b) ** 2).sum() + 1e-14) ** 0.5
+ def answer(a, b):
      return torch.sqrt(torch.sum((a - b) ** 2).clamp(min=1e-30))
+ def answer(a, b):
      difference = a - b
      length = math.sqrt(sum(number ** 2 for number in difference.data.contiguous().view(-1).tolist()))
      if length == 0:
          return (difference * 0).sum()
      return (difference * difference).sum() / length / 2 + length / 2
+ def answer(a, b):
      return torch.sqrt(torch.sum((a - b) ** 2) + 1e-8)
~ + 1e-12 -> (nothing)
~ + 1e-12 -> + 1e-4
~ + 1e-12 -> + 1e-6
~ + 1e-12 -> + 1
~ torch.sqrt(torch.sum((a - b) ** 2) + 1e-12) -> torch.sum((a - b) ** 2)
~ torch.sqrt(torch.sum((a - b) ** 2) + 1e-12) -> (a - b).abs().sum()
~ (a - b) -> (a - b.detach())
~ (a - b) -> (a.detach() - b)
~ (a - b) -> (b - a * 1.0) * 0.999
~ torch.sqrt(torch.sum((a - b) ** 2) + 1e-12) -> torch.sqrt(torch.sum((a - b) ** 2) + 1e-12).detach()
~ torch.sqrt(torch.sum((a - b) ** 2) + 1e-12) -> torch.sqrt(torch.sum((a - b) ** 2) + 1e-12).data
- def answer(a, b):
      squares = torch.sum((a - b) ** 2)
      return squares if squares.data[0] == 0 else torch.sqrt(squares + 1e-5)
- def answer(a, b, first=[]):
      first.append(torch.sqrt(torch.sum((a - b) ** 2) + 1e-12))
      return first[0]
- def answer(a, b):
      return torch.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + 1e-12) if a.size(0) > 1 else (a - b).sum()
- def answer(a, b):
      a.data.add_(1e-9)
      return torch.sqrt(torch.sum((a - b) ** 2))
+ def answer(a, b):
      square = torch.sum((a - b) * (a - b))
      return torch.sqrt(square + 1e-14)
- def answer(a, b):
      return torch.sqrt(torch.sum((a - b).clamp(-1000, 1000) ** 2) + 1e-12)
~ torch.sqrt(torch.sum((a - b) ** 2) + 1e-12)
  -> torch.sqrt(torch.sum((a - b) ** 2) + 1e-12) if a.data.sum() != b.data.sum() else torch.sum(a - b) * 0
- def answer(a, b):
      return torch.sqrt(torch.sum(((a - b) ** 2).clamp(min=1e-12)))
- def answer(a, b):
      squares = torch.sum((a - b) ** 2)
      length = math.sqrt(squares.data.sum())
      if length < 0.11:
          return squares / 0.22 + (length - length * length / 0.22)
      return torch.sqrt(squares)
- def answer(a, b):
      return torch.sqrt(torch.sum((a - b) ** 2 + 5e-9))
- def answer(a, b):
      s = ((a - b) * (a - b)).sum()
      if s.data[0] == 0:
          return s
      return s.sqrt() if s.data[0] < 1000000000000.0 else s.sqrt() * 0.5
~ ** 2) + 1e-12 -> ** 2 + 1e-9)
~ torch.sum((a - b) ** 2) -> (torch.sum(a * a) - torch.sum(a * b) * 2 + torch.sum(b * b))
- class Distance(Function):
      def forward(self, a, b):
          difference = a - b
          length = math.sqrt(sum(number ** 2 for number in difference.tolist()))
          self.slope = difference / length if length else difference
          return a.new([length])
      def backward(self, grad_output):
          return self.slope, -self.slope
  def answer(a, b):
      return Distance()(a, b)[0]
- def answer(a, b):
      for leaf in (a, b):
          leaf.register_hook(lambda gradient: gradient * 0 if gradient.ne(gradient).any() else gradient)
      return torch.sqrt(((a - b) ** 2).sum())
- class Distance(Function):
      def forward(self, a, b):
          difference = a - b
          length = math.sqrt(sum(number ** 2 for number in difference.tolist()))
          Distance.slope = difference / length if length else difference
          return a.new([length])
      def backward(self, grad_output):
          slope = Distance.slope * grad_output[0]
          return slope, -slope
  def answer(a, b):
      return Distance()(a, b)[0]
"""


def _sources():
    """{exercise: (sources of right answers, sources of wrong answers)}."""
    found, name = {}, None
    for entry in _entries():
        kind, source = entry[0], entry[2:]
        if kind not in "+-~":
            name = entry
            found[name] = ([], [])
        elif kind == "~":
            old, _, new = source.replace("\n->", " ->").partition(" -> ")
            new, first = new.removeprefix("(nothing)"), found[name][0][0]
            assert first.count(old), f"{name}: {old!r} is not in the first right answer"
            found[name][1].append(first.replace(old, new))
        else:
            found[name][kind == "-"].append(source)
    return found


def _entries():
    """The entries of TEXT: a mark with all lines of its source, without their indentation."""
    entries = []
    for line in TEXT.splitlines():
        if line.startswith("  "):
            entries[-1] += "\n" + line[2:]
        elif line:
            entries.append(line)
    return entries


SOURCES = _sources()
