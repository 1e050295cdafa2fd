"""Tools as they are called: what came back, and does it fit what was promised?"""

from __future__ import annotations

import re
from typing import Any

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.failure_words import SHORT_TEXT, begins_like_failure
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import between, everywhere, since
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import as_json, quote
from mcptap.diagnosis.rules.tool_lists import TOOLS
from mcptap.jsontext.bounded import parse
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.listings import Tool
from mcptap.protocol.model.request import CANCELLED
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import NEWEST_HANDSHAKE
from mcptap.protocol.revisions.names import COMPLETE, INTERNAL_ERROR, INVALID_PARAMS
from mcptap.protocol.schema.instance_faults import instance_fault
from mcptap.protocol.schema.values import typed
from mcptap.text.units import size

CALLED = "s2c result tools/call"
ANSWERED = "s2c result tools/call, s2c error tools/call"
LARGE_TEXT = 100_000
"""From how many characters on hosts cut a result."""
_SPEAKS_OF_ERRORS = re.compile(r"\blogs?\b|\berrors?\b|\bexceptions?\b|\bfailures?\b|\btraceback", re.I)
_UNKNOWN_TOOL = re.compile(
    r"unknown tool|tool .{0,140}not found|no (?:such )?tool|not (?:a )?(?:known|registered)", re.I
)
_MISSING = re.compile(r"not found|no such|does not exist|doesn't exist|not exist", re.I)
_ABSENT: Any = object()
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")


def called_tool(session: Session, message: Message) -> Tool | None:
    """The listed tool that this is an answer of."""
    return session.listings.tools.get(message.request.tool) if message.request is not None else None


def is_final(result: Any) -> bool:
    """Whether a result is complete: no request for input, no task."""
    return type(result) is dict and result.get("resultType", COMPLETE) == COMPLETE and "task" not in result


def only_text(result: dict[str, Any]) -> str | None:
    """The text of a result that is exactly one text block."""
    content = result.get("content")
    if type(content) is not list or len(content) != 1 or type(content[0]) is not dict:
        return None
    text = content[0].get("text") if content[0].get("type") == "text" else None
    return text if type(text) is str else None


def failure_of(message: Message, tool: Tool | None) -> str:
    """The text of a result that tells a failure as if it were data, or an empty string."""
    if message.failure is None:
        text = _failure_text(message, tool)
        message.failure = "" if text and _was_asked_for(message, text) else text
    return message.failure


def _was_asked_for(message: Message, text: str) -> bool:
    """Whether the arguments of the call hold this text, or the beginning of it that tells a failure."""
    params = message.request.params if message.request is not None else None
    waiting, text = [(params or {}).get("arguments")], text.strip()
    while waiting:
        value = waiting.pop()
        if type(value) is dict:
            waiting += value.values()
        elif type(value) is list:
            waiting += value
        elif type(value) is str and (text in value or (begins_like_failure(value) and value.strip() in text)):
            return True
    return False


def _failure_text(message: Message, tool: Tool | None) -> str:
    result, name = message.result, message.request.tool if message.request is not None else ""
    if result.get("isError") is True or "structuredContent" in result:
        return ""
    text = only_text(result)
    if text is None or len(text) > SHORT_TEXT:
        return ""
    if tool is None and name and name in text and _UNKNOWN_TOOL.search(text) is not None:
        return text
    if not begins_like_failure(text) and not _is_failure_object(text):
        return ""
    if tool is not None and _SPEAKS_OF_ERRORS.search(tool.description):
        return ""
    return text


def _is_failure_object(text: str) -> bool:
    if not text.lstrip().startswith("{"):
        return False
    try:
        value = parse(text.encode(errors="surrogatepass"))
    except ValueError:
        return False
    return isinstance(value, dict) and bool(
        value.get("error") or value.get("errors") or value.get("success") is False
    )


@rule(
    "output-schema-mismatch",
    since("2025-06-18", Level.ERROR),
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source="2025-06-18 and later, server/tools: output schema; observed: the TypeScript and Python clients raise",
    says="{tool} promises structured output, but {why} (record {n})",
    leads_to="TypeScript and Python clients raise instead of returning the data",
    remedy="Return structuredContent that fits outputSchema, or drop the schema.",
    requires="values",
)
def output_schema_mismatch(session: Session, message: Message) -> Hits:
    tool = called_tool(session, message)
    schema = tool.output_schema if tool is not None else None
    result = message.result
    if schema is None or tool is None or not is_final(result) or result.get("isError") is True:
        return None
    if tool.verdicts.get("output"):
        return None  # the schema itself is at fault
    if result.get("structuredContent") is None and "structuredContent" not in result:
        why = "the result has no structuredContent"
    else:
        fault = instance_fault(schema, result["structuredContent"], "structuredContent")
        if not fault:
            return None
        why = fault
    return hit(message.number, tool.name, tool=tool.name, why=why)


@rule(
    "structured-content-type",
    between("2025-06-18", "2025-11-25", Level.ERROR),
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source="schema of 2025-06-18 and 2025-11-25: structuredContent is an object",
    says="structuredContent of {tool} is {kind} (record {n})",
    leads_to="before 2026-07-28 it must be an object",
    remedy="Wrap it in an object.",
    odd_only=True,
)
def structured_content_type(_session: Session, message: Message) -> Hits:
    content = message.result.get("structuredContent") if type(message.result) is dict else None
    if content is None or type(content) is dict or message.request is None:
        return None
    return hit(message.number, message.request.tool, tool=message.request.tool, kind=typed(content))


@rule(
    "structured-content-without-text",
    since("2025-06-18", Level.WARNING),
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source="2025-06-18 and later, server/tools: structured content should also be given as text",
    says="{tool} returned structured content without any text (record {n})",
    leads_to="older clients show nothing",
    remedy="Add a text block with the same JSON.",
    odd_only=True,
)
def structured_content_without_text(_session: Session, message: Message) -> Hits:
    result = message.result
    if type(result) is not dict or result.get("structuredContent") is None or message.request is None:
        return None
    content = result.get("content")
    if type(content) is not list or any(type(b) is dict and b.get("type") == "text" for b in content):
        return None
    return hit(message.number, message.request.tool, tool=message.request.tool)


@rule(
    "tool-result-empty",
    Level.INFO,
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source="observed",
    says="{tool} returned nothing for the model to read (record {n})",
    remedy="Say in a text block that it is done, or that there is nothing.",
    odd_only=True,
)
def tool_result_empty(_session: Session, message: Message) -> Hits:
    result = message.result
    if (
        not is_final(result)
        or result.get("content") != []
        or "structuredContent" in result
        or message.request is None
    ):
        return None
    return hit(message.number, message.request.tool, tool=message.request.tool)


def _blocks(message: Message) -> list[dict[str, Any]]:
    """The content blocks of a tool result or of the messages of a prompt."""
    result = message.result
    if type(result) is not dict:
        return []
    content = result.get("content")
    if type(content) is list:
        if len(content) == 1 and type(content[0]) is dict:
            return content
        return [block for block in content if type(block) is dict]
    messages = result.get("messages")
    if type(messages) is not list:
        return []
    blocks = [m.get("content") for m in messages if type(m) is dict]
    return [block for block in blocks if type(block) is dict]


@rule(
    "content-type-unknown",
    Level.ERROR,
    side=SERVER,
    on="s2c result tools/call, s2c result prompts/get",
    stage=Stage.CONTENT,
    source="schema.ts of each revision: ContentBlock",
    says='A content block of type "{kind}" (record {n}, {method}) does not exist in {revision}',
    leads_to="the SDKs reject such a result",
    remedy="Use the types of the agreed revision: text, image, resource; audio since 2025-03-26, resource_link since 2025-06-18.",
    odd_only=True,
)
def content_type_unknown(_session: Session, message: Message) -> Hits:
    allowed = (message.revision or NEWEST_HANDSHAKE).content_types
    for block in _blocks(message):
        kind = block.get("type")
        if type(kind) is str and kind not in allowed and message.request is not None:
            return hit(
                message.number,
                kind,
                kind=quote(kind, 40),
                method=message.request.method,
                revision=message.revision or "any revision",
            )
    return None


@rule(
    "base64-invalid",
    Level.ERROR,
    side=SERVER,
    on="s2c result tools/call, s2c result prompts/get, s2c result resources/read",
    stage=Stage.CONTENT,
    source="all revisions, server/tools and server/resources; RFC 4648",
    says="{field} (record {n}, {method}) {why}",
    remedy="Encode the bytes as plain base64, without a data: prefix, and name the mimeType.",
    requires="values",
    odd_only=True,
)
def base64_invalid(_session: Session, message: Message) -> Hits:
    result = message.result
    if type(result) is dict and only_text(result) is not None and "contents" not in result:
        return None  # as most answers are
    hits: list[Hit] = []
    method = message.request.method if message.request is not None else ""
    for block in _blocks(message):
        kind = block.get("type")
        if kind in ("image", "audio"):
            if not isinstance(block.get("mimeType"), str):
                hits.append(
                    hit(
                        message.number,
                        f"{kind} mimeType",
                        field=f"mimeType of the {kind}",
                        method=method,
                        why="is absent",
                    )
                )
            _check_base64(message, hits, f"data of the {kind}", block.get("data"), method)
        elif kind == "resource" and isinstance(block.get("resource"), dict):
            _check_base64(
                message, hits, "blob of the resource", block["resource"].get("blob", _ABSENT), method
            )
    contents = message.result.get("contents") if type(message.result) is dict else None
    for item in contents if type(contents) is list else []:
        if type(item) is dict:
            _check_base64(message, hits, "blob of the resource", item.get("blob", _ABSENT), method)
    return hits


def _check_base64(message: Message, hits: list[Hit], field: str, value: Any, method: str) -> None:
    if value is _ABSENT:
        return
    if type(value) is str:
        digits = "".join(value.split())
        if _BASE64.fullmatch(digits) is not None and len(digits.rstrip("=")) % 4 != 1:
            return
    why = "is not base64" if type(value) is str else "is absent or no string"
    if type(value) is str and value.startswith("data:"):
        why += ": it has a data: prefix"
    hits.append(hit(message.number, field, field=field, method=method, why=why))


@rule(
    "is-error-type",
    Level.WARNING,
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source="schema.ts of each revision: isError is a boolean",
    says="isError of {tool} is {kind} (record {n})",
    leads_to="the failure is not recognised",
    remedy="Send true or false.",
    odd_only=True,
)
def is_error_type(_session: Session, message: Message) -> Hits:
    value = message.result.get("isError", False) if type(message.result) is dict else False
    if isinstance(value, bool) or value is None or message.request is None:
        return None
    return hit(message.number, message.request.tool, tool=message.request.tool, kind=typed(value))


@rule(
    "tool-error-as-text",
    Level.WARNING,
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source=f"{TOOLS}: error handling",
    says='{tool} returned what reads as a failure as ordinary text (record {n}: "{shown}")',
    leads_to="if it is one, the agent takes it for data",
    remedy="Return isError: true for a failure (in an SDK: raise).",
    design=True,
    failures_only=True,
)
def tool_error_as_text(session: Session, message: Message) -> Hits:
    if type(message.result) is not dict or message.request is None:
        return None
    text = failure_of(message, called_tool(session, message))
    if not text:
        return None
    tool = message.request.tool
    return hit(message.number, tool, tool=tool, shown=quote(text, 80))


@rule(
    "tool-error-as-rpc",
    everywhere(Level.INFO) | since("2025-11-25", Level.WARNING),
    side=SERVER,
    on="s2c error tools/call",
    stage=Stage.CONTENT,
    source="2025-11-25 changelog and server/tools: failures that a model can repair are results with isError",
    says='{tool} failed with a protocol error (record {n}: {code} "{shown}")',
    leads_to="hosts often hide it from the model, which cannot correct itself",
    remedy="Return a result with isError: true.",
)
def tool_error_as_rpc(session: Session, message: Message) -> Hits:
    tool, request, error = called_tool(session, message), message.request, message.error
    if tool is None or request is None or type(error) is not dict:
        return None
    if request.state == CANCELLED or request.error_code not in (INVALID_PARAMS, INTERNAL_ERROR, 0):
        return None
    text = str(error.get("message", ""))
    if request.error_code == INVALID_PARAMS and _UNKNOWN_TOOL.search(text):
        return None
    return hit(message.number, tool.name, tool=tool.name, code=request.error_code, shown=quote(text, 80))


@rule(
    "unknown-tool-as-result",
    Level.INFO,
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source=f"{TOOLS}: an unknown tool is a protocol error; observed: Python SDK 1.x and 2.x and TypeScript 1.x answer isError",
    says='The unknown tool "{name}" was answered with a result (record {n})',
    leads_to="it should be error -32602",
    yields_to="tool-error-as-text",
    odd_only=True,
)
def unknown_tool_as_result(session: Session, message: Message) -> Hits:
    request, newest = message.request, session.listings.of["tools/list"].newest
    if request is None or newest is None or not request.tool or request.tool in newest.names:
        return None
    if newest.number > request.number:
        return None  # the list changed while the call was on its way
    if type(message.result) is not dict or message.result.get("isError") is not True:
        return None
    return hit(message.number, request.tool, name=request.tool)


@rule(
    "unknown-tool-called",
    Level.WARNING,
    side=CLIENT,
    on=ANSWERED,
    stage=Stage.CONTENT,
    source=TOOLS,
    says='The agent called "{name}" (record {asked}), which is not in the list it was given{hint?}',
    remedy="Call tools by the names that tools/list gave, without the host's prefix.",
    failures_only=True,
)
def unknown_tool_called(session: Session, message: Message) -> Hits:
    request, newest = message.request, session.listings.of["tools/list"].newest
    if request is None or newest is None or not request.tool or request.tool in newest.names:
        return None
    if newest.number > request.number:
        return None  # the list changed while the call was on its way
    if message.error is None and not (
        type(message.result) is dict
        and (message.result.get("isError") is True or failure_of(message, called_tool(session, message)))
    ):
        return None  # it was there after all
    known = [name for name in newest.names if request.tool.endswith(name) and len(name) > 2]
    hint = f': a host\'s prefix was left on "{quote(known[0], 60)}"' if known else ""
    return hit(request.number, request.tool, name=request.tool, asked=request.number, hint=hint)


@rule(
    "tool-arguments-invalid",
    Level.INFO,
    side=CLIENT,
    on=ANSWERED,
    stage=Stage.CONTENT,
    source=f"{TOOLS}: input schema",
    says="The call of {tool} (record {asked}) does not fit its schema: {why}",
    leads_to="the server {reply}",
    remedy="Make the schema and its descriptions say what is wanted, so that the model can do it right.",
    requires="values",
)
def tool_arguments_invalid(session: Session, message: Message) -> Hits:
    tool, request = called_tool(session, message), message.request
    if (
        tool is None
        or request is None
        or request.params is None
        or tool.input_schema is None
        or tool.verdicts.get("input")
    ):
        return None
    arguments = request.params.get("arguments", {})
    why = tool.plain_input.fault(arguments) if tool.plain_input is not None else None
    if why is None:
        why = instance_fault(tool.input_schema, {} if arguments is None else arguments)
    if not why:
        return None
    if message.error is not None:
        reply = "refused it with a protocol error"
    elif type(message.result) is dict and message.result.get("isError") is True:
        reply = "said so (isError)"
    else:
        reply = "accepted it all the same"
    return hit(request.number, tool.name, tool=tool.name, asked=request.number, why=why, reply=reply)


@rule(
    "tool-example-rejected",
    Level.WARNING,
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source="observed: a model follows the examples it is given",
    says="The description of {tool} offers {value} as an example, but the tool rejects it (record {n})",
    remedy="Correct the description or the tool.",
    requires="values",
    design=True,
    failures_only=True,
)
def tool_example_rejected(session: Session, message: Message) -> Hits:
    tool, request, result = called_tool(session, message), message.request, message.result
    if tool is None or request is None or request.params is None or type(result) is not dict:
        return None
    text = only_text(result) if result.get("isError") is True else failure_of(message, tool)
    if not text:
        return None
    arguments = request.params.get("arguments")
    if type(arguments) is not dict or _MISSING.search(text):
        return None
    for name, value in arguments.items():
        # The refusal has to name the value, and a path or address in an example is only a pattern.
        if type(value) is not str or not value or value not in text or any(c in value for c in "/\\:@"):
            continue
        if _is_offered(tool, name, value):
            return hit(message.number, f"{tool.name} {value}", tool=tool.name, value=as_json(value))
    return None


def _is_offered(tool: Tool, parameter: str, value: str) -> bool:
    properties = (tool.input_schema or {}).get("properties")
    about = properties.get(parameter) if isinstance(properties, dict) else None
    described = about.get("description") if isinstance(about, dict) else None
    texts = [tool.description, described if isinstance(described, str) else ""]
    return any(q + value + q in text for text in texts for q in "'\"`") or any(
        f"“{value}”" in text or f"‘{value}’" in text for text in texts
    )


@rule(
    "result-large",
    Level.INFO,
    side=SERVER,
    on=CALLED,
    stage=Stage.CONTENT,
    source=observed(Fault.LARGE_RESULT),
    says="{tool} returned {size} of text (record {n})",
    leads_to="hosts truncate it",
    remedy="Return less, page it, or hand out a resource link.",
    fault=Fault.LARGE_RESULT,
    unless="line-too-long",
    odd_only=True,
)
def result_large(_session: Session, message: Message) -> Hits:
    if len(message.line.data) <= LARGE_TEXT or message.request is None:
        return None
    length = sum(len(b["text"]) for b in _blocks(message) if isinstance(b.get("text"), str))
    if length <= LARGE_TEXT:
        return None
    return hit(message.number, message.request.tool, tool=message.request.tool, size=size(length))
