"""From a section's name to its kind, for names that no dialect explains."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from inspector.turns.turn import KINDS, Kind

_WORDS: dict[Kind, str] = {
    "instructions": """instruction rule role persona identity guideline policy objective directive constraint
        behavior behaviour personality system principle communication tone style safety values contract
        reminder important requirement guidance purpose mission practice restriction note protocol
        preference""",
    "documents": "document doc file soul skill reference readme claude agents.md claude.md guide article",
    "environment": "environment env platform date time cwd runtime os locale clock timezone location",
    "format": """format formatting example response schema template answer syntax shot demonstration sample
        respond reply""",
    "actions": "action tool function command capability api toolkit resource",
    "outputs": "output channel",
    "contexts": """context state situation world attachment room attached workspace repository codebase""",
    "memory": """memory notepad scratchpad summary plan todo recall pending knowledge progress pad operation
        block human""",
    "history": "history conversation transcript dialogue dialog message chat log thread",
    "updates": """input update task query request question result observation event current new goal issue
        problem ticket prompt""",
}
WORDS: dict[str, Kind] = {word: kind for kind, words in _WORDS.items() for word in words.split()}
"""Singular words; the last word of a name that is in here decides, since it is mostly the noun."""

PHRASES: dict[str, Kind] = {
    "runtime context": "environment",
    "environment info": "environment",
    "system info": "environment",
    "workspace info": "environment",
    "current date": "environment",
    "current time": "environment",
    "current state": "contexts",
    "current situation": "contexts",
    "working memory": "memory",
    "system reminder": "instructions",
    "system message": "instructions",
    "user instructions": "instructions",
    "how to respond": "format",
    "available skills": "documents",
    "goals": "instructions",
    "about you": "instructions",
    "who you are": "instructions",
    "user message": "updates",
    "previous steps": "history",
}
LOOKED_AT = 200
"""Code points of a name that say what it is."""
_CHINESE: dict[Kind, str] = {
    "instructions": "指令 规则 角色 约束 要求 注意事项 注意 目标 限制",
    "documents": "文档 技能 原文 资料",
    "environment": "环境 当前时间 日期",
    "format": "格式 示例 例子 输出格式 模板",
    "actions": "工具 动作 命令 可用工具",
    "outputs": "输出",
    "contexts": "上下文 背景 状态 代码库",
    "memory": "记忆 计划 总结 摘要 笔记",
    "history": "历史 对话 聊天记录 历史记录",
    "updates": "任务 问题 输入 需求 查询 结果",
}
_ENDS: dict[str, Kind] = {word: kind for kind, words in _CHINESE.items() for word in words.split()}
"""Chinese nouns; the longest one that a name ends with decides, since nothing parts its words."""
_LONGEST_END = max(map(len, _ENDS))
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\s_:/&,;()*`'\"-]+")
_AFTER_NOUN = re.compile(r" (?:for|of|about|to|in|on|from|with|you|that|when|your|by) ")


def words_of(name: str) -> str:
    """A name as lower-case words: ``toolUseInstructions`` → ``tool use instructions``."""
    return _BETWEEN.sub(" ", _HUMP.sub(" ", name[:LOOKED_AT])).strip().lower()


def kind_of(name: str) -> Kind | None:
    """The kind that a section's name suggests, or None."""
    return _kind_of(name[:LOOKED_AT])


@lru_cache(maxsize=4_096)
def _kind_of(name: str) -> Kind | None:
    words = words_of(name)
    if words in PHRASES:
        return PHRASES[words]
    for word in reversed(_AFTER_NOUN.split(f"{words} ", maxsplit=1)[0].split()):
        kind = WORDS.get(word) or WORDS.get(_singular(word))
        if kind:
            return kind
    return None if words.isascii() else _by_end(words)


def _by_end(words: str) -> Kind | None:
    """The kind of a name that is not parted into words."""
    return next((kind for size in range(_LONGEST_END, 0, -1) if (kind := _ENDS.get(words[-size:]))), None)


def own_kind(name: str, kinds: Mapping[str, str]) -> Kind | Literal["none"] | None:
    """The kind that a project's own table gives a name, ``none`` for "no section", or None."""
    if not kinds:
        return None
    own = kinds.get(name) or kinds.get(words_of(name))
    return "none" if own == "none" else next((kind for kind in KINDS if kind == own), None)


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") else word
