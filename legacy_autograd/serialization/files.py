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
from typing import IO, Any

from ..cuda import refuse
from ..modern_names import refuse_keywords
from ..nn.module import Module
from . import pickles
from ._format import DIGEST, KEY, LARGEST_HEADER, NO_DIGEST, TRUSTING, digest_of
from .pickles import looks_pickled, pickled, was_pickled_here
from .reader import Reader
from .torch_read import HEAD, format_of, read_torch
from .writer import Writer, is_storable


def save(
    obj: Any,
    f: str | os.PathLike | IO[bytes],
    pickle_module: Any = None,
    pickle_protocol: int | None = None,
    weights_only: bool | None = None,
    **modern: Any,
) -> None:
    """Write an object to a file.

    The object consists of dicts (with keys of any plain kind), OrderedDicts, lists, tuples, Tensors, leaf Variables,
    numpy arrays, numbers, strings, booleans and None, in any nesting: for example a state dict, or a dict with several
    of them and the epoch. It is stored with safetensors. Tensors that share memory share it again when they are loaded.
    Gradients are not stored.

    A whole Module is pickled instead, as in torch. To load it runs code from the file, and needs its classes. Under
    `python -m legacy_autograd run`, any other object that safetensors cannot store is pickled too, in the format of
    v0.1.10 to v1.5; `run --torch-format` always writes that format.

    The file at a path is replaced in one step: the content is written to a hidden file that ends in ".tmp", flushed to
    the disk and renamed. So at any time the path has the old content or the new one. If the process is killed, the
    hidden file stays until the next `save` to the same path.

    Args:
        obj: The object.
        f: A path, or a file that is open for writing in binary mode.
        pickle_module: Ignored; v0.1.x has it.
        pickle_protocol: Ignored; v0.1.x has it.
        weights_only: False to pickle any object, True to pickle nothing. Default: as above.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        TypeError: If a part of the object cannot be stored; the message says where it is.
        ValueError: If the object contains itself or is nested too deeply.
        ImportError: If safetensors is not installed.
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
        except OSError as error:  # whose message has no file name, or that of the temporary file
            raise OSError(error.errno, error.strerror, path) from error


def load(
    f: str | os.PathLike | IO[bytes],
    map_location: Any = None,
    pickle_module: Any = None,
    weights_only: bool | None = None,
) -> Any:
    """Return the object in a file that `save` or torch's `save` wrote.

    A safetensors file of another program gives a dict of its tensors. Files of torch are read in all three formats: the
    tar of v0.1.1 to v0.1.9, the pickles of v0.1.10 to v1.5, and the zip archive since v1.6. bool tensors become
    ByteTensors, bfloat16 tensors FloatTensors (with a warning), and tensors without dimensions vectors of one number.

    Any other object in a file of torch than tensors, Variables, numbers, text and containers, and any other pickle, is
    loaded only with `weights_only=False`: such a file can run any code, so use it only for files that you trust. The
    environment variable of modern torch, TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1, changes the default to False, for programs
    that load whole Modules and cannot be changed. `python -m legacy_autograd run --trust-pickles` sets it. A pickle
    that the same run saved is loaded without it.

    From an open file, no more is read than one `save` wrote. Exceptions from the classes in a pickle are not changed.

    Args:
        f: A path, or a file that is open for reading in binary mode.
        map_location: For a file of torch a function, which is called with each storage and its location and returns a
            storage or None. Otherwise ignored: all tensors are loaded into main memory.
        pickle_module: Ignored; v0.1.x has it.
        weights_only: False to trust the file. Default: as above.

    Raises:
        ValueError: If the file is of another kind, damaged, or a pickle that is not trusted; the message says which.
        OSError: If the file cannot be opened.
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
    """Return the path `file` as a string. Raises TypeError for anything else, also for the number of an open file."""
    if not isinstance(file, (str, bytes, os.PathLike)):
        raise TypeError(f"{name}: file must be a path or a file that is open for {purpose}, got {type(file).__name__}")
    return os.fsdecode(file)


def _write_whole(path, content):
    """Replace the file at `path` by one with this content, in one step."""
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
    # Not tempfile: only the owner can read its files, and this one needs the permissions that open gives.
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
    """Remove the temporary files of processes on this machine that were killed while they wrote the same file."""
    if os.name != "posix":  # elsewhere os.kill cannot check whether a process is alive
        return
    with contextlib.suppress(OSError), os.scandir(folder or ".") as entries:
        remains = [entry for entry in entries if entry.name.startswith(prefix) and entry.name.endswith(".tmp")]
        for entry in remains:
            pid = int(entry.name.split(".")[2])
            if not _is_alive(pid) or pid == os.getpid() and os.path.join(folder, entry.name) not in _being_written:
                with contextlib.suppress(FileNotFoundError):  # another process removed it
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
    """Flush the folder, so that the new name reaches the disk, if the system can do that."""
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
            raise ValueError(f"{where} is damaged: it has {end - stream.tell()} bytes more than its header says")
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
    """Return the bytes of one safetensors file, and its header."""
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
        raise ValueError(f"{where} is cut off: it has {size} bytes, and according to its header {8 + length + end}")
    stream.seek(-len(content), io.SEEK_CUR)
    content = stream.read(8 + length + end)
    metadata = header.get("__metadata__")
    digest = metadata.get(DIGEST) if isinstance(metadata, dict) else None
    if digest is None and isinstance(metadata, dict) and KEY in metadata and len(metadata) > 1:
        raise ValueError(f"{where} is damaged: its metadata have an unknown name, and no digest")
    if digest is not None:  # version 1.0.0 wrote none
        head = content[: 8 + length].replace(str(digest).encode(errors="replace"), NO_DIGEST.encode(), 1)
        if digest_of(head, memoryview(content)[8 + length :]) != digest:
            raise ValueError(f"{where} is damaged: its content does not have the digest that it was saved with")
    return content, header


def _kind_of(head):
    """Return what a file that begins with `head` is, for messages."""
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
        return f"cut off, or of another kind: it has {len(head)} bytes"
    return "neither a safetensors file nor a pickle"
