"""An answer put together from streamed pieces, block by block."""

from dataclasses import dataclass, field

from inspector.turns.turn import NativeCall, ResponseBody


@dataclass(slots=True)
class _Block:
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    id: str | None = None
    name: str | None = None
    arguments: list[str] = field(default_factory=list)
    hosted: bool = False
    whole: str = ""
    """Arguments that came at once, used when no pieces follow."""


class Gathered:
    """Pieces by the index of their block; blocks stay in the order in which they began."""

    def __init__(self) -> None:
        self._blocks: dict[int | str, _Block] = {}

    def text(self, index: int | str, piece: object) -> None:
        """A piece of text."""
        if isinstance(piece, str):
            self._block(index).text.append(piece)

    def reasoning(self, index: int | str, piece: object) -> None:
        """A piece of reasoning."""
        if isinstance(piece, str):
            self._block(index).reasoning.append(piece)

    def call(
        self, index: int | str, id: object, name: object, arguments: str = "", *, hosted: bool = False
    ) -> None:
        """The beginning of a call, or all of it."""
        block = self._block(index)
        block.hosted = hosted
        block.id = block.id or (id if isinstance(id, str) else None)
        block.name = block.name or (name if isinstance(name, str) else None)
        block.whole = arguments

    def arguments(self, index: int | str, piece: object) -> None:
        """A piece of a call's arguments."""
        if isinstance(piece, str):
            self._block(index).arguments.append(piece)

    def body(self, role: str = "assistant") -> ResponseBody:
        """All of it as a response."""
        blocks = self._blocks.values()
        return ResponseBody(
            text="".join(piece for block in blocks for piece in block.text),
            reasoning=tuple("".join(block.reasoning) for block in blocks if any(block.reasoning)),
            calls=tuple(
                NativeCall(block.id, block.name, "".join(block.arguments) or block.whole, block.hosted)
                for block in blocks
                if block.name is not None
            ),
            role=role,
        )

    def _block(self, index: int | str) -> _Block:
        return self._blocks.setdefault(index, _Block())
