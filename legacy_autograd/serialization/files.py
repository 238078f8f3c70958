"""`save` and `load`, and the files that they write and read."""

import contextlib
import hashlib
import io
import json
import os
import pickle
import platform
import secrets
import stat

from ..cuda import refuse
from ..modern_names import refuse_keywords
from ..nn.module import Module
from . import pickles
from ._format import LARGEST_HEADER, TRUSTING
from .pickles import looks_pickled, pickled, was_pickled_here
from .reader import Reader
from .torch_read import HEAD, format_of, read_torch
from .writer import Writer, is_storable


def save(obj, f, pickle_module=None, pickle_protocol=None, weights_only=None, **modern):
    """Write `obj` to `f`, a path or a file that is open for writing in binary mode.

    `obj` is made of dicts (with keys of any plain kind), OrderedDicts, lists, tuples, Tensors, leaf Variables, numpy
    arrays, numbers, strings, booleans and None, in any nesting: a state dict, or a dict of several and the epoch. It is
    stored with safetensors. Tensors that share memory do so again when they are loaded; gradients are not stored.

    A whole Module is pickled instead, as torch does it: loading that runs code from the file, and needs the classes.
    `weights_only=False` pickles anything, True nothing. Under `python -m legacy_autograd run` anything else that
    cannot be stored is pickled too, in the format of v0.1.10 to v1.5; `run --torch-format` writes that in any case.
    `pickle_module` and `pickle_protocol`, of v0.1.x, change nothing.

    A path is written to under another name first, flushed to the disk and renamed: whatever happens in between, the
    file of that name is the old one or the new one. That other file is hidden and ends in ".tmp"; if its process is
    killed it stays, until the next `save` to the same path. Raises TypeError for what cannot be stored, with its place,
    and ValueError for what contains itself or is nested too deeply; ImportError where safetensors is missing.
    """
    if modern:
        refuse_keywords("save", modern)
    if weights_only is None:
        storable = pickles.pickled_here is None or not pickles.torch_format and is_storable(obj)
        weights_only = not isinstance(obj, Module) and storable
    content = Writer(obj).content() if weights_only else pickled(obj)
    if hasattr(f, "write"):
        if isinstance(f, io.TextIOBase):
            raise TypeError("save: the file is open for text; open it in binary mode, 'wb'")
        f.write(content)
    else:
        path = _path("save", f, "writing")
        try:
            _write_whole(os.path.realpath(path), content)
        except OSError as error:  # names no file, or the temporary one
            raise OSError(error.errno, error.strerror, path) from error


def load(f, map_location=None, pickle_module=None, weights_only=None):
    """Read what `save` wrote to `f`, a path or a file that is open for reading in binary mode; or torch's `save`.

    A safetensors file of another program gives a dict of its tensors. Files of torch are read in all three formats: the
    tar of v0.1.1 to v0.1.9, the pickles of v0.1.10 to v1.5 and the zip archive since v1.6. What they have beside
    tensors, Variables, numbers, text and containers needs trust. bool tensors become ByteTensors, bfloat16 FloatTensors
    with a warning, tensors without dimensions vectors of one number. Any other pickle is opened only with
    `weights_only=False`: it can run any code, so only for files that you trust. Where nothing is said, the environment
    variable that modern torch has for this, TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1, stands for False: for a program that
    loads whole Modules and is to stay as it is. `python -m legacy_autograd run --trust-pickles` sets it; a pickle that
    the same run has saved is opened there without.

    From an open file no more is read than was written by one `save`. All tensors come into main memory: `map_location`,
    which said where those of a GPU go, changes nothing; a function is asked with each storage of a file of torch and
    its location, and returns the storage or None. `pickle_module`, of v0.1.x, changes nothing.

    Raises ValueError for a file that is something else, is damaged, or is a pickle, and says which; OSError where it
    cannot be opened. What the classes in a pickle raise when it is opened comes as it is.
    """
    if isinstance(map_location, str) and map_location != "cpu":
        refuse(f"load(map_location={map_location!r})")
    if weights_only is None and os.environ.get(TRUSTING, "").lower() in ("1", "y", "yes", "true"):
        weights_only = False
    if isinstance(f, io.TextIOBase):
        raise TypeError("load: the file is open for text; open it in binary mode, 'rb'")
    if hasattr(f, "read"):
        seekable = hasattr(f, "seekable") and f.seekable()
        return _read(f if seekable else io.BytesIO(f.read()), None, weights_only, map_location)
    path = _path("load", f, "reading")
    with open(path, "rb") as stream:
        return _read(stream, path, weights_only, map_location)


def _path(name, file, purpose):
    """Return the path `file` as a string. Raises TypeError if it is none, also for the number of an open file."""
    if not isinstance(file, (str, bytes, os.PathLike)):
        raise TypeError(f"{name}: file must be a path or a file that is open for {purpose}, got {type(file).__name__}")
    return os.fsdecode(file)


def _write_whole(path, content):
    """Replace the file at `path` by one with this content; at no time is there half of it."""
    mode = None
    with contextlib.suppress(FileNotFoundError):
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):  # a device or a pipe, which must not be replaced by a file
            with open(path, "wb") as stream:
                stream.write(content)
            return
        mode = stat.S_IMODE(status.st_mode)
    folder, name = os.path.split(path)
    prefix = f".{hashlib.sha256(os.fsencode(f'{platform.node()} {name}')).hexdigest()[:16]}."
    _remove_remains(folder, prefix)
    temporary = os.path.join(folder, f"{prefix}{os.getpid()}.{secrets.token_hex(8)}.tmp")
    _being_written.add(temporary)
    # Not tempfile: its files are for their owner alone, while this one is to have the permissions that open would give.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        _being_written.discard(temporary)
    _flush_folder(folder)


_being_written: set[str] = set()  # the temporary files of this process


def _remove_remains(folder, prefix):
    """Remove the temporary files of processes of this machine that were killed while they wrote the same file."""
    if os.name != "posix":  # elsewhere a process cannot be asked whether it is alive
        return
    with contextlib.suppress(OSError), os.scandir(folder or ".") as entries:
        remains = [entry for entry in entries if entry.name.startswith(prefix) and entry.name.endswith(".tmp")]
        for entry in remains:
            pid = int(entry.name.split(".")[2])
            if not _is_alive(pid) or pid == os.getpid() and os.path.join(folder, entry.name) not in _being_written:
                with contextlib.suppress(FileNotFoundError):  # another process was faster
                    os.unlink(entry)


def _is_alive(pid):
    try:
        os.kill(pid, 0)  # no signal, only the check
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _flush_folder(folder):
    """Let the new name reach the disk too, where a folder can be flushed."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(stream, path, weights_only, map_location):
    where = f"load: {path!r}" if path is not None else "load: the file"
    begin = stream.tell()
    end = stream.seek(0, io.SEEK_END)
    stream.seek(begin)
    head = stream.read(9)
    length = int.from_bytes(head[:8], "little")
    if len(head) == 9 and head[8:] == b"{" and length <= LARGEST_HEADER:
        stream.seek(begin)
        content, header = _read_safetensors(stream, end - begin, length, where)
        if path is not None and stream.tell() != end:
            raise ValueError(
                f"{where} is damaged: it goes on for {end - stream.tell()} bytes after what its header says"
            )
        return Reader(content, header, where).result()
    stream.seek(begin)
    start = stream.read(HEAD)
    if format_of(start):
        trusted = weights_only is False or weights_only is None and was_pickled_here(stream, begin)
        stream.seek(begin)
        return read_torch(stream, where, trusted, map_location)
    if not looks_pickled(head):
        raise ValueError(f"{where} is {_kind_of(start)}, not what save writes")
    if weights_only or weights_only is None and not was_pickled_here(stream, begin):
        raise ValueError(
            f"{where} is a pickle, as save writes of a whole Module. Loading it can run any code. If you trust it, say "
            f"load(..., weights_only=False), or for a program that cannot be changed set {TRUSTING}=1 (run "
            "--trust-pickles does); if you have the model, save its state_dict() instead"
        )
    stream.seek(begin)
    try:
        return pickle.load(stream)
    except (pickle.UnpicklingError, EOFError) as error:
        raise ValueError(f"{where} is damaged or cut off: it begins as a pickle, and {error}") from None


def _read_safetensors(stream, size, length, where):
    """The bytes of one safetensors file, and its header."""
    if 8 + length > size:
        raise ValueError(f"{where} is cut off: it has {size} bytes, and its header alone takes {8 + length}")
    content = stream.read(8 + length)
    try:
        header = json.loads(content[8:])
        end = max([entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"], default=0)
        if type(end) is not int or end < 0:
            raise ValueError
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise ValueError(f"{where} is damaged: its header is not that of a safetensors file") from None
    if 8 + length + end > size:
        raise ValueError(f"{where} is cut off: it has {size} bytes, and its header promises {8 + length + end}")
    stream.seek(-len(content), io.SEEK_CUR)
    return stream.read(8 + length + end), header


def _kind_of(head):
    """What a file is that begins with `head`, for messages."""
    if not head:
        return "empty"
    for signature, kind in {
        b"\x1f\x8b": "compressed by gzip",
        b"\x93NUMPY": "an array of numpy.save",
        b"\x89HDF": "an HDF5 file",
    }.items():
        if head.startswith(signature):
            return kind
    if len(head) < 9:
        return f"cut off or foreign: it has {len(head)} bytes"
    return "no safetensors file and no pickle"
