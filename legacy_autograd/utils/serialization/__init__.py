"""`torch.utils.serialization` (v0.1.5): files of Lua's Torch."""

from .read_lua_file import T7Reader, load_lua  # noqa: F401
