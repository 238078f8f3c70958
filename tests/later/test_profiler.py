"""The profiler: counts, times, memory, the table and the trace."""

import json
import re
import threading
import time

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, callbacks, profiler


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


class Slow(Function):
    def forward(self, x):
        time.sleep(0.02)
        return x.clone()

    def backward(self, g):
        time.sleep(0.03)
        return g


class CallsSlow(Function):
    def forward(self, x):
        time.sleep(0.01)
        return Slow()(Variable(x, requires_grad=False))[0].data

    def backward(self, g):
        return g


def averages(profile, **options):
    return {average.key: average for average in profile.key_averages(**options)}


def test_counts_of_forward_and_backward():
    x = variable(1.0, 2.0)
    with profiler.profile() as profile:
        y = (x * x * x).exp().sum()
        y.backward()
        y.backward()
    found = averages(profile)
    assert {name: average.count for name, average in found.items()} == {
        "Mul": 2, "Exp": 1, "Sum": 1, "SumBackward": 2, "ExpBackward": 2, "MulBackward": 4, "AccumulateGrad": 2,
    }  # fmt: skip
    assert list(found)[:3] == ["Mul", "Exp", "Sum"]
    assert callbacks.around_call.callbacks == callbacks.around_backward.callbacks == ()


def test_total_and_self_time():
    x = variable(1.0)
    with profiler.profile() as profile:
        y = CallsSlow()(Slow()(x)[0])[0]
        y.backward()
    found = averages(profile)
    outer, inner, backward = found["CallsSlow"], found["Slow"], found["SlowBackward"]
    assert inner.count == 2 and 40_000 <= inner.cpu_time_total == pytest.approx(inner.self_cpu_time_total)
    assert 30_000 <= outer.cpu_time_total
    assert 10_000 <= outer.self_cpu_time_total <= outer.cpu_time_total - 20_000
    assert backward.cpu_time_total >= 30_000 and backward.cpu_time == backward.cpu_time_total
    assert inner.cpu_time == inner.cpu_time_total / 2
    total = profile.total_average()
    assert total.count == len(profile.function_events) == 6
    assert profile.self_cpu_time_total == pytest.approx(total.self_cpu_time_total)
    assert total.self_cpu_time_total <= sum([event.cpu_time_total for event in profile.function_events])


def test_memory():
    x = Variable(torch.DoubleTensor(200, 500))
    with profiler.profile(profile_memory=True) as profile:
        y = x * 2
        with profiler.record_function("both"):
            z = y + y
            del y
    found = averages(profile)
    size = 200 * 500 * 8
    assert size <= found["MulConstant"].cpu_memory_usage < size + 20_000
    assert size <= found["Add"].self_cpu_memory_usage < size + 20_000
    both = found["both"]
    assert abs(both.cpu_memory_usage) < 20_000 and abs(both.self_cpu_memory_usage + size) < 20_000  # y is given back
    assert "Self CPU Mem" in profile.table() and re.search(r"78[123]\.\d\d Kb", profile.table())
    assert z.requires_grad


def test_shapes():
    a, b = Variable(torch.DoubleTensor(2, 3)), Variable(torch.DoubleTensor(3, 4))
    with profiler.profile(record_shapes=True) as profile:
        a.mm(b)
        a.mm(b)
        b.mm(b.t())
    rows = [(row.key, row.input_shapes, row.count) for row in profile.key_averages(group_by_input_shape=True)]
    assert ("Mm", ((2, 3), (3, 4)), 2) in rows and ("Mm", ((3, 4), (4, 3)), 1) in rows
    assert "[[2, 3], [3, 4]]" in profile.key_averages(group_by_input_shape=True).table()
    assert averages(profile)["Mm"].count == 3


def test_the_table(monkeypatch):
    clock = [0]  # of this test, in nanoseconds: how long a busy machine takes does not count
    monkeypatch.setattr(time, "perf_counter_ns", lambda: clock[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: clock.append(clock.pop() + round(seconds * 10**9)))
    x = variable(1.0)
    with profiler.profile() as profile:
        Slow()(x)[0].backward()
        x + x
    table = profile.key_averages().table(sort_by="self_cpu_time_total")
    lines = table.splitlines()
    assert lines[1].split() == "Name Self CPU % Self CPU CPU total % CPU total CPU time avg # of Calls".split()
    assert [line.split()[0] for line in lines[3:5]] == ["SlowBackward", "Slow"]
    assert "ms" in lines[3] and "%" in lines[3]
    assert float(re.fullmatch(r"Self CPU time total: ([\d.]+)ms", lines[-1])[1]) == 50  # 20 and 30
    assert len(profile.key_averages().table(row_limit=1).splitlines()) == 6
    assert profile.table(header="The header").startswith("The header\n")
    by_count = profile.key_averages().table(sort_by="count").splitlines()
    assert len(by_count) == len(lines)
    assert str(profile) == profile.table() and str(profile.key_averages()) == profile.key_averages().table()
    with pytest.raises(AttributeError, match="cannot be sorted by 'colour'"):
        profile.key_averages().table(sort_by="colour")


def test_a_trace_for_chrome(tmp_path):
    x = variable(1.0)
    with profiler.profile(record_shapes=True) as profile:
        CallsSlow()(x)[0].backward()
    path = tmp_path / "trace.json"
    profile.export_chrome_trace(path)
    events = json.loads(path.read_text())["traceEvents"]
    assert {event["name"] for event in events} == {"CallsSlow", "Slow", "CallsSlowBackward", "AccumulateGrad"}
    assert all(event["ph"] == "X" and event["dur"] >= 0 and "pid" in event and "tid" in event for event in events)
    by_name = {event["name"]: event for event in events}
    outer, inner = by_name["CallsSlow"], by_name["Slow"]
    assert outer["ts"] <= inner["ts"] and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"]
    assert outer["args"] == {"Input Dims": [[1]]}


def test_parts_of_the_program():
    @profiler.record_function("decorated")
    def part(x):
        return x + x

    with profiler.record_function("nobody looks"):
        pass
    with profiler.profile() as profile:
        with profiler.record_function("forward"):
            part(variable(1.0))
    names = [(event.name, event.parent.name if event.parent else None) for event in profile.function_events]
    assert names == [("forward", None), ("decorated", "forward"), ("Add", "decorated")]


def test_all_threads_are_seen_each_on_its_own():
    x = variable(1.0)
    barrier = threading.Barrier(2, timeout=60)

    def run():
        barrier.wait()
        CallsSlow()(x)

    with profiler.profile() as profile:
        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert averages(profile)["Slow"].count == 2
    assert len({event.thread for event in profile.function_events}) == 2
    assert all(event.parent.thread == event.thread for event in profile.function_events if event.parent)


def test_exceptions_end_it():
    class Fails(Function):
        def forward(self, x):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        with profiler.profile() as profile:
            Fails()(variable(1.0))
    assert callbacks.around_call.callbacks == () and averages(profile)["Fails"].count == 1


def test_not_enabled():
    with profiler.profile(enabled=False) as profile:
        variable(1.0) + variable(2.0)
    assert profile.function_events == [] and "Name" in profile.table()
    with pytest.raises(RuntimeError, match="no CUDA"):
        profiler.profile(use_cuda=True)


def test_one_inside_another():
    with profiler.profile() as outer:
        variable(1.0).exp()
        with profiler.profile() as inner:
            variable(1.0).sin()
    assert (list(averages(outer)), list(averages(inner))) == (["Exp", "Sin"], ["Sin"])


@pytest.mark.parametrize(
    "microseconds, text", [(0.5, "0.500us"), (999.0, "999.000us"), (1500.0, "1.500ms"), (2.5e6, "2.500s")]
)
def test_times_as_text(microseconds, text):
    assert profiler.shown_time(microseconds) == text


@pytest.mark.parametrize(
    "count, text", [(100, "100 b"), (-2048, "-2.00 Kb"), (3 * 2**20, "3.00 Mb"), (2**30, "1.00 Gb")]
)
def test_memory_as_text(count, text):
    assert profiler.shown_memory(count) == text
