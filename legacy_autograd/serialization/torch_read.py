"""Reads files of torch: the tar of v0.1.1 to v0.1.9, the pickles of v0.1.10 to v1.5, and the zip archive since v1.6.

Each reader passes the pickle to an unpickler: the restricted one, or Python's for trusted files. Structure and numbers
are checked in the same way for both.
"""

import io
import os
import pickle
import struct
import tarfile
import zipfile

from ._format import TRUSTING
from .torch_globals import Builders
from .torch_restricted import NotAllowed, RestrictedUnpickler
from .torch_storages import Damaged, TorchStorages, empty_tensor, text
from .torch_trusted import TrustedUnpickler

MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001
_MAGIC = [pickle.dumps(MAGIC_NUMBER, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
HEAD = 512  # bytes that identify a format


def format_of(head):
    """Return "tar", "pickles" or "zip" for a file of torch that begins with the bytes `head`; None for other files."""
    if head.startswith(b"PK\x03\x04"):
        return "zip"
    if head[257:262] == b"ustar":
        return "tar"
    return "pickles" if head.startswith(tuple(_MAGIC)) else None


def read_torch(stream, where, trusted, map_location=None):
    """Return the object in the seekable `stream`, which is at the beginning of a file of torch.

    Raises ValueError, whose message begins with `where`, for a damaged or hostile file, and for one that needs trust.
    """
    begin = stream.tell()
    kind = format_of(stream.read(HEAD))
    end = stream.seek(0, io.SEEK_END)
    stream.seek(begin)
    try:
        return _READERS[kind](_Part(stream, begin, end), trusted, map_location)
    except Damaged as error:
        raise ValueError(f"{where} is damaged: {error}") from None
    except NotAllowed as error:
        raise ValueError(
            f"{where} is a file of torch that needs {error}, which is more than tensors, numbers and containers. "
            "Loading it can run any code. If you trust it, say load(..., weights_only=False), or for a program that "
            f"cannot be changed set {TRUSTING}=1 (run --trust-pickles does)"
        ) from None
    except (EOFError, pickle.UnpicklingError, zipfile.BadZipFile, tarfile.TarError, struct.error) as error:
        raise ValueError(f"{where} is damaged or cut off: {error}") from None
    except (MemoryError, OverflowError, RecursionError, NotImplementedError) as error:
        raise ValueError(f"{where} is damaged: it ends in a {type(error).__name__} ({error})") from None


class _Part(io.RawIOBase):
    """The bytes of a stream from `begin` to `end`. It never reads beyond the end, whatever length is requested."""

    def __init__(self, stream, begin, end):
        self.stream, self.begin, self.end = stream, begin, end

    def left(self):
        return max(0, self.end - self.stream.tell())

    def read(self, size=-1):
        return self.stream.read(self.left() if size is None or size < 0 else min(size, self.left()))

    def readinto(self, buffer):
        content = self.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def readline(self, size=-1):
        return self.stream.readline(self.left() if size is None or size < 0 else min(size, self.left()))

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.stream.tell() - self.begin

    def seek(self, offset, whence=io.SEEK_SET):
        origin = {io.SEEK_SET: self.begin, io.SEEK_CUR: self.stream.tell(), io.SEEK_END: self.end}[whence]
        return self.stream.seek(max(self.begin, origin + offset)) - self.begin


def _unpickled(stream, builders, find_storage, trusted):
    if trusted:
        return TrustedUnpickler(stream, builders, find_storage).load()
    return RestrictedUnpickler(builders, find_storage).load(stream)


def _plain(stream, what, kind):
    """Return an object of plain values from a pickle beside the main one. It is never trusted."""
    value = RestrictedUnpickler(Builders(None), _nothing_outside).load(stream)
    if type(value) is not kind:
        raise Damaged(f"its {what} is a {type(value).__name__}")
    return value


def _nothing_outside(key):
    raise Damaged("its pickle names storages where there are none")


def _check_system(system):
    if system.get("little_endian") is not True:
        raise Damaged("it was written by a machine that puts the highest byte first")


def _exactly(stream, size, what):
    content = stream.read(size)
    if len(content) != size:
        raise Damaged(f"it is cut off: {what} takes {size} bytes, and {len(content)} are left")
    return content


def _storage_of(storages, key, number_of_entries):
    """Return the Storage of a persistent id: ("storage", type, key, location, size), and in old files its part."""
    if type(key) is not tuple or len(key) != number_of_entries or text(key[0]) != "storage":
        raise Damaged(f"its pickle keeps {key!r:.100} outside of itself")
    root = storages.declare(*key[1:5])
    part = key[5] if number_of_entries == 6 else None
    if part is None:
        return root
    if type(part) is not tuple or len(part) != 3:
        raise Damaged(f"a part of a storage is described by {part!r:.100}")
    return storages.part(root, *part)


# --- v0.1.10 to v1.5


def _read_pickles(stream, trusted, map_location):
    if _plain(stream, "magic number", int) != MAGIC_NUMBER:
        raise Damaged("it has another magic number")
    version = _plain(stream, "version", int)
    if version != PROTOCOL_VERSION:
        raise Damaged(f"it has version {version:_} of the format; {PROTOCOL_VERSION} is the only one")
    _check_system(_plain(stream, "system information", dict))
    storages = TorchStorages(stream.left(), map_location)

    def find_storage(key):
        if not trusted and type(key) is tuple and key and key[0] == "module":
            raise NotAllowed("the class of a Module")
        return _storage_of(storages, key, 6)

    result = _unpickled(stream, Builders(storages, trusted), find_storage, trusted)
    for key in _plain(stream, "list of storages", list):
        (size,) = struct.unpack("<q", _exactly(stream, 8, "the size of a storage"))
        key = text(key)
        if key not in storages.types or size != len(storages.known[key]):
            raise Damaged(f"it has {size} numbers for the storage {key!r:.100}, which has another size or is not used")
        storages.fill(key, _exactly(stream, storages.size_in_file(key), f"the storage {key!r}"))
    storages.finish()
    return result


# --- since v1.6


def _read_zip(stream, trusted, map_location):
    try:
        archive = zipfile.ZipFile(stream)
    except (ValueError, OSError, KeyError, IndexError) as error:
        raise Damaged(f"its archive is not readable ({error})") from None
    with archive:
        entries = archive.infolist()
        names = [entry.filename for entry in entries]
        if len(set(names)) != len(names):
            raise Damaged("its archive has an entry twice")
        if any([entry.compress_type != zipfile.ZIP_STORED or entry.flag_bits & 1 for entry in entries]):
            raise Damaged("its archive has compressed or encrypted entries, which torch does not write")
        if sum([entry.file_size for entry in entries]) > stream.end - stream.begin:
            raise Damaged("its archive has entries with more bytes than the file")
        roots = [name.removesuffix("/data.pkl") for name in names if name.endswith("/data.pkl")]
        if len(roots) != 1 or "/" in roots[0]:
            raise Damaged("its archive has no data.pkl, or several: it is a zip archive, but not of torch.save")
        (root,) = roots
        if f"{root}/constants.pkl" in names:
            raise NotAllowed("TorchScript, being a program")
        order = _entry(archive, f"{root}/byteorder") if f"{root}/byteorder" in names else b"little"
        if order not in (b"little", b"big"):
            raise Damaged(f"its byte order is {order!r:.100}")
        storages = TorchStorages(stream.end - stream.begin, map_location, "<" if order == b"little" else ">")
        content = io.BytesIO(_entry(archive, f"{root}/data.pkl"))

        def find_storage(key):
            return _storage_of(storages, key, 5)

        result = _unpickled(content, Builders(storages, trusted), find_storage, trusted)
        for key in list(storages.types):
            if f"{root}/data/{key}" not in names:
                raise Damaged(f"its archive has no numbers for the storage {key!r:.100}")
            entry = archive.getinfo(f"{root}/data/{key}")
            if entry.file_size != storages.size_in_file(key):
                raise Damaged(
                    f"the storage {key!r} needs {storages.size_in_file(key)} bytes, and there are {entry.file_size}"
                )
            storages.fill(key, _entry(archive, entry))
    storages.finish()
    stream.seek(0, io.SEEK_END)
    return result


def _entry(archive, entry):
    try:
        return archive.read(entry)
    except (ValueError, RuntimeError, OSError, zipfile.BadZipFile) as error:
        raise Damaged(f"its archive is not readable ({error})") from None


# --- v0.1.1 to v0.1.9


def _read_tar(stream, trusted, map_location):
    with tarfile.open(fileobj=stream, mode="r:") as archive:
        members = {}
        for member in archive:
            if member.name not in ("sys_info", "pickle", "tensors", "storages") or member.name in members:
                raise Damaged(f"its archive has an entry {member.name!r:.100}, or has it twice; torch.save does not")
            if not member.isreg() or member.size > stream.end - stream.begin:
                raise Damaged(f"its entry {member.name!r} is no file, or has more bytes than the archive")
            members[member.name] = io.BytesIO(archive.extractfile(member).read())
    if len(members) != 4:
        raise Damaged(f"its archive has only {sorted(members)}")
    _check_system(_plain(members["sys_info"], "system information", dict))
    storages = TorchStorages(stream.end - stream.begin, map_location)
    objects = {}  # {id in the pickle: Storage or Tensor}
    _read_storages_of_tar(members["storages"], storages, objects)
    _read_tensors_of_tar(members["tensors"], storages, objects)

    def find(key):
        key = key if type(key) is tuple else text(key)
        if type(key) is tuple and not trusted:
            raise NotAllowed("the class of a Module")
        if type(key) is tuple or key not in objects:
            raise Damaged(f"its pickle names an object {key!r:.100}, and there is none")
        return objects[key]

    result = _unpickled(members["pickle"], Builders(storages, trusted), find, trusted)
    storages.finish()
    stream.seek(0, io.SEEK_END)
    return result


def _values(stream):
    """Return the content of one of the pickles between the numbers: a tuple of plain values and types."""
    unpickler = RestrictedUnpickler(Builders(None), _nothing_outside)
    unpickler.checked = lambda result: result  # types are allowed here
    return unpickler.load(stream)


def _read_storages_of_tar(stream, storages, objects):
    for _ in range(_plain(stream, "number of storages", int)):
        key, *location, kind = _values(stream)  # no location in v0.1.1
        (size,) = struct.unpack("<q", _exactly(stream, 8, "the size of a storage"))
        objects[text(key)] = storages.declare(kind, key, location[0] if location else "cpu", size)
        storages.fill(text(key), _exactly(stream, storages.size_in_file(text(key)), f"the storage {key!r}"))
    if stream.read(1):  # v0.1.1 has no parts of storages
        stream.seek(-1, os.SEEK_CUR)
        for key, root, offset, size in _plain(stream, "list of storages' parts", list):
            if text(root) not in storages.types:
                raise Damaged(f"it has a part of a storage {root!r:.100}, and there is none")
            objects[text(key)] = storages.part(storages.known[text(root)], key, offset, size)


def _read_tensors_of_tar(stream, storages, objects):
    for _ in range(_plain(stream, "number of tensors", int)):
        key, storage, kind = _values(stream)
        if type(kind) in (int, str):
            storage, kind = kind, storage  # the order of v0.1.1
        (dimensions,) = struct.unpack("<i4x", _exactly(stream, 8, "a tensor"))
        if not 0 <= dimensions <= 64:
            raise Damaged(f"a tensor has {dimensions} dimensions")
        count = 2 * dimensions + 1
        numbers = struct.unpack(f"<{count}q", _exactly(stream, 8 * count, "a tensor"))
        size, stride, offset = numbers[:dimensions], numbers[dimensions:-1], numbers[-1]
        if storage is None or not dimensions:  # at that time a tensor without dimensions had no elements
            objects[text(key)] = empty_tensor(kind)
        elif text(storage) not in objects:
            raise Damaged(f"a tensor is over a storage {storage!r:.100}, and there is none")
        else:
            objects[text(key)] = storages.tensor(objects[text(storage)], offset, size, stride)


_READERS = {"tar": _read_tar, "pickles": _read_pickles, "zip": _read_zip}
