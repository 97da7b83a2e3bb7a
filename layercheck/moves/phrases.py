"""Every phrase of the reports, in English and in Chinese. The English phrase is the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from layercheck.moves.model import Reason
from layercheck.report.escape import printable

Say = Callable[..., str]
"""Says a phrase, its gaps filled."""

_CHINESE: Mapping[str, str] = {
    # The verdict
    "{0}: {1} moved, and nothing else changed": "{0}：移动了 {1}，其余没有任何改动",
    "{0}: {1} moved, and {2} not explained by that": "{0}：移动了 {1}，另有 {2} 无法由移动解释",
    "{0}: {1} moved, and {2} cannot be told": "{0}：移动了 {1}，其中 {2} 无法判断",
    "{0}: nothing moved, so there is nothing to prove": "{0}：没有任何定义移动，因此无可证明",
    "{0} definitions": "{0} 个定义",
    "1 definition": "1 个定义",
    "{0} things": "{0} 处",
    "1 thing": "1 处",
    # Headings
    "Not explained by the moves": "移动无法解释的改动",
    "Cannot be told": "无法判断",
    "Moves": "移动",
    "Import sites": "导入处",
    "Patch targets": "补丁目标（mock.patch）",
    "Strings that name the old home": "仍写有旧位置的字符串",
    "Several places are possible": "有多种可能",
    "In both homes": "新旧两处都有",
    "Which way imports point": "导入方向",
    "Imports that the old home no longer needs": "旧模块不再需要的导入",
    "Lines traced by git blame -C -C -C": "git blame -C -C -C 可追溯的行",
    "Risks": "风险",
    "How to reproduce": "如何复现",
    "Symbol": "符号",
    "From": "原位置",
    "To": "新位置",
    "Body": "内容",
    "Old home": "旧模块",
    "Kind": "类别",
    "Where": "位置",
    "State": "状态",
    "Was": "原为",
    "Is": "现为",
    # States
    "identical": "完全相同",
    "reformatted": "仅格式不同",
    "re-indented": "仅缩进不同",
    "changed": "有改动",
    "rebound": "名称含义改变",
    "class": "类",
    "function": "函数",
    "constant": "常量",
    "module": "模块级",
    "typing": "仅类型检查",
    "attribute": "属性访问",
    "star": "星号导入",
    "runtime": "运行时",
    "test": "测试",
    "other": "其他",
    "redirected": "已改向",
    "still-old": "仍用旧位置",
    "removed": "已删除",
    "via": "经由其他模块",
    "added": "新增",
    "clean": "无残留",
    "shim": "转发垫片",
    "facade": "公开门面",
    "accident": "顺带导入",
    "typing-only": "仅类型检查时存在",
    "still-uses-it": "自身仍在使用",
    "gone": "模块已不存在",
    "through {0} ({1})": "经由 {0}（{1}）",
    "broken": "已失效",
    "none": "无",
    # Sentences
    "{0} of {1} lines": "{1} 行中的 {0} 行",
    "accepted: every module computes its own": "已接受：每个模块各自计算",
    "{0} imports {1} ({2}): an import of {0} by {1}, or by what that runs, would close a ring": (
        "{0} 导入了 {1}（{2}）：若 {1} 或其运行的模块再导入 {0}，就会形成循环"
    ),
    "a ring at import time: {0}": "导入时循环：{0}",
    "{0} has no {1} any more: code outside of this project that imports it from there breaks": (
        "{0} 不再有 {1}：项目之外从那里导入它的代码会失效"
    ),
    "{0} still takes {1} from its old home": "{0} 仍从旧位置获取 {1}",
    "and {0} more (--format json has all)": "另有 {0} 处（--format json 列出全部）",
    "git cannot say: {0}": "git 无法给出：{0}",
    # Why a line is left
    "`from __future__ import annotations` holds in only one of the two homes": (
        "`from __future__ import annotations` 只在新旧位置之一生效"
    ),
    "a second import of the same": "重复的导入",
    "a comment that was not there": "此前没有的注释",
    "a shim: it takes {0}, which moved, and does not use it": "转发垫片：导入了已移动的 {0} 却不使用",
    "an import that has nothing to do with what moved": "与移动无关的导入",
    "cannot be read: {0}": "无法读取：{0}",
    "it takes {0}, which it did not take before": "导入了此前并未使用的 {0}",
    "nothing that moved here needs it": "移到此处的内容都不需要它",
    "nothing that moved here needs this import": "移到此处的内容都不需要这个导入",
    "nothing that moved needed this import": "移走的内容都不需要这个导入",
    "part of no definition that moved": "不属于任何移动的定义",
    "the feature holds for the whole file": "该特性对整个文件生效",
    "the import now runs at another time: {0} there, {1} here": "导入时机改变：原为 {0}，现为 {1}",
    "the import of {0} comes to something else now": "导入 {0} 如今得到的是别的对象",
    "the import of {0} in it is {1} there and {2} here": "其中导入的 {0} 原为 {1}，现为 {2}",
    "the import of {0} in it leads to nothing here": "其中导入的 {0} 在这里不存在",
    "the import of {0} leads to nothing any more": "导入的 {0} 已不存在",
    "the import only changed its place or its form": "导入只改变了位置或写法",
    "{0} changed on its way": "{0} 在移动中被改动",
    "{0} did not move, and is not the same any more": "{0} 没有移动，但内容变了",
    "{0} in __all__ is not what moved": "__all__ 中的 {0} 与移动无关",
    "{0} is a builtin there and {1} here": "{0} 原为内建名称，现为 {1}",
    "{0} is a copy: its old home still has it": "{0} 是副本：旧位置仍有它",
    "{0} is bound {1} there and {2} here": "{0} 的绑定条件原为 {1}，现为 {2}",
    "{0} is bound again in {1} (line {2})": "{0} 在 {1} 中又被绑定（第 {2} 行）",
    "{0} is bound again ({1}), so a copy of it may be something else": "{0} 又被绑定（{1}），其副本可能已不相同",
    "{0} is bound again later ({1}), and one of the two homes only imports it": (
        "{0} 之后又被绑定（{1}），而新旧位置之一只是导入它"
    ),
    "{0} is called {1} now": "{0} 现名 {1}",
    "{0} is computed again: {2} is a copy of {1}": "{0} 被重新计算：{2} 是 {1} 的副本",
    "{0} is defined several times in one module": "{0} 在同一模块中定义了多次",
    "{0} is defined under `{1}`": "{0} 定义在 `{1}` 之下",
    "{0} is gone": "{0} 已消失",
    "{0} is imported there and not here, and its body reads {1}": "{0} 原处已导入而此处没有，其内容会读取 {1}",
    "{0} is new": "{0} 是新增的",
    "importing {0} no longer runs {1}, which does more than bind names (line {2})": (
        "导入 {0} 不再运行 {1}，而它不只是绑定名称（第 {2} 行）"
    ),
    "which fixtures {0} gets cannot be told: other conftest.py files are above it now": (
        "无法判断 {0} 得到哪些 fixture：其上方的 conftest.py 文件已不同"
    ),
    "{0} is a test in one of the two homes only, by the name of the file": "按文件名，{0} 只在两处之一才是测试",
    "{0} is deleted in {1} (line {2})": "{0} 在 {1} 中被删除（第 {2} 行）",
    "{0} is looked up by its name in the module where it is": "{0} 是在其所在模块中按名称查找的",
    "whether {0} is still reached before or after line {1} of {2}, which reaches it too, cannot be told": (
        "无法判断 {0} 与同样用到它的 {2} 第 {1} 行的先后是否不变"
    ),
    "bytes name {0}: what they lead to cannot be told": "字节串中写有 {0}：无法判断它们指向什么",
    "{0} is imported by its text: what is taken from it cannot be told": "{0} 以文本方式导入：无法判断从中取用了什么",
    "{0} is used as a whole, and has got {1}: what takes all of it gets more": (
        "{0} 被整体使用，而它新增了 {1}：取用其全部内容者会多得一项"
    ),
    "{0} is asked for its module, which is another one now": "有代码询问 {0} 所在的模块，而它已经改变",
    "{0} was asked for {1} before that came to it": "在 {1} 移入之前，就已有人向 {0} 索取它",
    "{0} is used as a whole: what is taken from it cannot be told": "{0} 被整体使用：无法判断从中取用了什么",
    "{0} may read any name of its own ({1})": "{0} 可能读取自身的任意名称（{1}）",
    "{0} is read here and is not what moved": "此处读取的 {0} 不是所移动的那个",
    "{0} is read here and not bound any more": "此处读取 {0}，但它已无绑定",
    "{0} is read while {1} is imported, and bound there only further down": "导入 {1} 时会读取 {0}，而它在更下方才绑定",
    "{0} is read while {1} is imported, and bound there again further down": (
        "导入 {1} 时会读取 {0}，而它在更下方又被绑定"
    ),
    "{0} is that of {1} there and of {2} here": "{0} 原属 {1}，现属 {2}",
    "{0} is {1} there and not bound here": "{0} 原为 {1}，此处没有绑定",
    "{0} is {1} there and {2} here": "{0} 原为 {1}，现为 {2}",
    "{0} may have moved, but several places are possible": "{0} 可能移动过，但去处不止一种可能",
    "{0} shares a line with other code": "{0} 与其他代码同在一行",
    "{0}: {1}": "{0}：{1}",
    "a star import of {1} gave {0}, and the __all__ of {2} hides it": (
        "星号导入 {1} 原可得到 {0}，而 {2} 的 __all__ 将其隐藏"
    ),
    "{0}: it runs {1}, which may leave a trace (register it), and importing {2} no longer does": (
        "{0}：它会运行 {1}，可能有副作用（例如注册），而导入 {2} 已不再运行它"
    ),
    "its byte order mark is not as it was": "字节顺序标记（BOM）与原先不同",
    "its line ends are not as they were": "行结束符与原先不同",
    "its form feeds are not as they were": "换页符与原先不同",
    "the end of its last line is not as it was": "最后一行的行尾与原先不同",
    "the stub still declares {0}, which moved": "存根仍声明已移动的 {0}",
    "the stub does not declare {0}, which moved here": "存根未声明移动到此处的 {0}",
    "the stub still takes {0} from {1}, which it left": "存根仍从 {1} 取用已移走的 {0}",
    "{0} is in __all__ and not bound any more": "{0} 仍在 __all__ 中，但已无绑定",
    "{0} is bound several times here, and in another order": "{0} 在此处绑定多次，且次序已变",
    "it patches {0} in {1}, and what read it there now reads that of {2}": (
        "它替换 {1} 中的 {0}，而原先在那里读取它的代码如今读取 {2} 中的"
    ),
    "it patches {0} in {1}, and what moved now reads that of {2}: whether the patch is meant for it cannot be told": (
        "它替换 {1} 中的 {0}，而移动的代码如今读取 {2} 中的：无法判断该补丁是否针对它"
    ),
    "{0}: its decorator {1} may leave a trace (register it), and importing {2} no longer runs it": (
        "{0}：装饰器 {1} 可能有副作用（例如注册），而导入 {2} 已不再运行它"
    ),
    "{0}: no Python file of the project, so no move explains it": "{0}：不是项目的 Python 文件，移动无法解释",
    "whether {0}, which it reads at once, is what it was cannot be told: line {1} of {2} may change it": (
        "无法判断它立即读取的 {0} 是否仍是原来的对象：{2} 第 {1} 行可能改变它"
    ),
    "where {0} comes from in {1} cannot be told: it {2}": "无法判断 {1} 中的 {0} 来自哪里：{2}",
}

LANGUAGES: Mapping[str, Mapping[str, str]] = {"en": {}, "zh": _CHINESE}
"""The tables, by language. What a table does not hold is said in English."""


def speaker(language: str) -> Say:
    """A function that says phrases in a language, on one line each."""
    table = LANGUAGES[language]

    def say(phrase: str, *parts: object) -> str:
        return (
            table.get(phrase, phrase).format(*(printable(str(part)) for part in parts))
            if parts
            else table.get(phrase, phrase)
        )

    return say


def tell(say: Say, reason: Reason) -> str:
    """A reason as a sentence."""
    return say(reason.phrase, *reason.parts)
