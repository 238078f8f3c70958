"""What the live page costs in Chromium: bytes, seconds to be ready, seconds of programs, memory.

    python playground/build.py build/play && python -m benchmarks.playground [FOLDER]

serves the built page on this machine and runs the same programs in it and outside. Needs the extra `test` and Chromium.
"""

import argparse
import functools
import gzip
import http.server
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from selenium import webdriver

from legacy_autograd.commands.play import Handler

STEPS = """
import time
import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable

net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10)).float()
optimizer, criterion = optim.SGD(net.parameters(), lr=0.1), nn.CrossEntropyLoss()
images = torch.FloatTensor(1500, 64).fill_(0.5)
labels = torch.LongTensor([number % 10 for number in range(1500)])
times = []
for first in 2 * list(range(0, 1500, 50)):
    x = Variable(images[first : first + 50], requires_grad=False)
    y = Variable(labels[first : first + 50], requires_grad=False)
    start = time.perf_counter()
    optimizer.zero_grad()
    criterion(net(x), y).backward()
    optimizer.step()
    times.append(time.perf_counter() - start)
print(min(times))
"""
CHAIN = """
import time
import legacy_autograd as torch
from legacy_autograd.autograd import Variable

times = []
for _ in range(5):
    start = time.perf_counter()
    x = y = Variable(torch.Tensor([1.0]))
    for _ in range(5000):
        y = y * 1.0001 + 0.1
    y.backward()
    times.append(time.perf_counter() - start)
print(min(times))
"""
DIAMOND = """
import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable

x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
drawing.trace_backward(x * y + (x + y))
"""
MANY = """
import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable

y = Variable(torch.Tensor([1.0]))
for step in range(199):
    y = y * 1.01 if step % 2 else y + 0.01
drawing.trace_backward(y)
"""
README = pathlib.Path(__file__).resolve().parents[1] / "playground" / "programs" / "readme.py"
PAGE = """<!doctype html><title>benchmark</title><script type="module">
import { Session } from "./NAME";
window.begin = async () => {
  const from = performance.now();
  window.printed = "";
  window.session = new Session({ on: { print: (text) => (window.printed += text) } });
  await session.ready;
  return (performance.now() - from) / 1000;
};
window.loaded = true;
</script>"""


class Browser:
    """Chromium with one page, in which a Session of Python is started."""

    def __init__(self, address):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
            options.add_argument(argument)
        service = webdriver.ChromeService(shutil.which("chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_script_timeout(300)
        self.address = address

    def open(self):
        self.driver.get(self.address)
        while not self.driver.execute_script("return window.loaded"):
            time.sleep(0.01)

    def value(self, expression, *arguments):
        code = f"const done = arguments[arguments.length - 1]; (async () => ({expression}))().then(done)"
        return self.driver.execute_async_script(code.replace("ARGUMENT", "arguments[0]"), *arguments)

    def seconds(self, program):
        return self.value("await session.run(ARGUMENT)", program)["seconds"]

    def printed(self, program):
        self.value("(window.printed = '', await session.run(ARGUMENT))", program)
        return float(self.value("window.printed"))

    def megabytes(self):
        """Return the resident memory of the page's process, the largest of the browser's renderers."""
        children = subprocess.run(["ps", "-eo", "rss,args"], capture_output=True, text=True, check=True).stdout
        return max(int(line.split()[0]) for line in children.splitlines() if "--type=renderer" in line) / 1024


def outside(program):
    """Return the number that the program prints in a Python of its own."""
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default="build/play", help="default: build/play")
    folder = parser.parse_args().folder
    (session,) = folder.glob("session-*.js")
    needed = [
        p for p in folder.iterdir() if not p.name.startswith(("student", "questions", "exercises", "licences", "zh"))
    ]
    compressed = [p.stat().st_size if p.suffix == ".gz" else len(gzip.compress(p.read_bytes())) for p in needed]
    print(f"first load, compressed            {sum(compressed) / 1e6:.2f} MB")
    page = folder / "benchmark.html"
    page.write_text(PAGE.replace("NAME", session.name), encoding="utf-8")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Browser(f"http://127.0.0.1:{server.server_port}/benchmark.html")
    try:
        browser.open()
        print(f"ready, cold                       {browser.value('await begin()'):.2f} s")
        readme = README.read_text(encoding="utf-8")
        browser.seconds(readme)
        print(f"memory after a program            {browser.megabytes():.0f} MB")
        print(f"README's program after an edit    {browser.seconds(readme + '# edited'):.3f} s")
        browser.seconds(DIAMOND)
        print(f"step-through of the diamond       {browser.seconds(DIAMOND):.2f} s")
        print(f"step-through of 200 Functions     {browser.seconds(MANY):.2f} s")
        for name, program in [("chain of 10,000", CHAIN), ("step of the MLP 64-64-10", STEPS)]:
            here, there = outside(program), browser.printed(program)
            print(f"{name:33} {there / here:.2f} times outside ({1000 * here:.2f} ms)")
        endless = "session.run('while True: pass').catch(() => {})"
        stop = f"({endless}, await new Promise((go) => setTimeout(go, 3000)), await stopped())"
        browser.driver.execute_script(
            "window.stopped = async () => { const from = performance.now(); session.stop(); await session.ready;"
            "return (performance.now() - from) / 1000 }"
        )
        print(f"ready after Stop                  {browser.value(stop):.2f} s")
        time.sleep(10)
        browser.open()
        print(f"ready, warm                       {browser.value('await begin()'):.2f} s")
    finally:
        browser.driver.quit()
        server.shutdown()
        page.unlink()


if __name__ == "__main__":
    main()
