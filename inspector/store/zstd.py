"""zstd with an earlier text as prefix: the one place that knows where the codec comes from."""

import sys
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd as codec
else:
    from backports import zstd as codec

__all__ = ["BrokenData", "ZstdDecompressor", "ZstdError", "codec", "compress", "decompress"]

ZstdDecompressor = codec.ZstdDecompressor
ZstdError = codec.ZstdError

LEVEL = 6
"""For texts up to ``SMALL``."""
LEVEL_FAST = 3
"""For larger ones, of which level 5 takes three to ten times as long for 5 %, and where somebody waits."""
SMALL = 256 * 1024
MAX_WINDOW_LOG = 27
"""Every decoder accepts windows up to 128 MB; a record and its prefix have 32 MB each."""


class BrokenData(Exception):
    """Stored data can't be decompressed."""


def compress(data: bytes, prefix: bytes = b"", level: int = LEVEL) -> bytes:
    """One frame. With a prefix the same prefix is needed to decompress."""
    level = level if len(data) <= SMALL else LEVEL_FAST
    window = min(max((len(data) + len(prefix)).bit_length(), 10), MAX_WINDOW_LOG)
    options: dict[int, int] = {
        codec.CompressionParameter.compression_level: level,
        codec.CompressionParameter.window_log: window,
        # Four bytes that tell a wrong prefix from the right one.
        codec.CompressionParameter.checksum_flag: 1,
    }
    return codec.compress(data, options=options, zstd_dict=_prefix(prefix))


def decompress(data: bytes, prefix: bytes = b"") -> bytes:
    """What ``compress`` was given. Raises BrokenData."""
    try:
        return codec.decompress(data, zstd_dict=_prefix(prefix))
    except codec.ZstdError as error:
        raise BrokenData(str(error)) from error


def _prefix(prefix: bytes) -> Any:
    # As a prefix, not a digested dictionary: it is used once, so tables of its own would not pay.
    return codec.ZstdDict(prefix, is_raw=True).as_prefix if len(prefix) >= 8 else None
