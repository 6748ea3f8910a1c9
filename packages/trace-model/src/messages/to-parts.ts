import { memberOf } from '@heddle/core-api/internal'
import { firstMember, isObject, listOf, parsedValue, textAt } from './json-value.ts'
import type { MessagePart, TextPart } from './message.ts'
import { toMediaPart } from './to-media-part.ts'
import { toPageTool, toToolCall, toToolResult } from './to-tool-parts.ts'

type RecordedPart = Readonly<Record<string, unknown>>

/** Parts nested deeper are kept as they were recorded. */
const maxDepth = 8

/** The parts of a message's content: a text, a list of parts, or one part. Empty texts are omitted. */
export function toParts(content: unknown, depth = 0): readonly MessagePart[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const list = listOf(content)
  if (list && depth < maxDepth) return list.flatMap((part) => toParts(part, depth + 1))
  const known = isObject(content) && depth < maxDepth ? (fromType(content, depth) ?? fromMembers(content)) : undefined
  return known ?? [{ type: 'other', value: content }]
}

/** How a part is read, by its type. */
const readers: ReadonlyMap<string, (part: RecordedPart) => readonly MessagePart[] | undefined> = new Map(
  (
    [
      ['text input_text output_text summary_text markdown', textPart],
      ['thinking reasoning reasoning_text redacted_thinking thought', (part) => texts('reasoning', textOf(part))],
      ['refusal', (part) => texts('refusal', textOf(part))],
      [
        'tool_call tool_use tool-call function_call server_tool_use server_tool_call mcp_call custom_tool_call',
        (part) => optional(toToolCall(part)),
      ],
      [
        'tool_result tool-result tool_call_response function_call_output function_call_result server_tool_call_response custom_tool_call_output tool-return',
        (part) => [toToolResult(part)],
      ],
      // Marks between the steps of an agent.
      ['step-start step-finish', () => []],
    ] as const satisfies readonly (readonly [string, (part: RecordedPart) => readonly MessagePart[] | undefined])[]
  ).flatMap(([types, read]) => types.split(' ').map((type) => [type, read] as const)),
)

/** Undefined for a part without a type, or with one that is not known. */
function fromType(part: RecordedPart, depth: number): readonly MessagePart[] | undefined {
  const wrapped = memberOf(part, 'message_content')
  if (isObject(wrapped)) return toParts(wrapped, depth + 1)
  const type = ['type', 'block_type', 'part_kind'].map((name) => textAt(part, name)).find((name) => name !== undefined)
  const read = readers.get(type ?? '')
  if (read) return read(part)
  if (type !== undefined && /^(?:tool-|dynamic-tool$)/.test(type)) return toPageTool(part, type)
  return optional(toMediaPart(part, type))
}

/** Parts identified by their members, in the conventions without types. Undefined if no member is known. */
function fromMembers(part: RecordedPart): readonly MessagePart[] | undefined {
  if (firstMember(part, 'toolUse', 'functionCall', 'function_call', 'toolRequest') !== undefined) return optional(toToolCall(part))
  if (firstMember(part, 'toolResult', 'functionResponse', 'function_response', 'toolResponse') !== undefined) return [toToolResult(part)]
  const thought = firstMember(part, 'reasoningContent', 'reasoning')
  if (thought !== undefined) return texts('reasoning', textOf(firstMember(thought, 'reasoningText') ?? thought))
  return part['thought'] === true ? texts('reasoning', textOf(part)) : textPart(part)
}

function textPart(part: RecordedPart): readonly TextPart[] | undefined {
  const text = textOf(part)
  // One instrumentation writes a model's reasoning as the JSON text of the part that it does not know.
  const thought = text?.startsWith('{"reasoningContent"')
    ? memberOf(memberOf(parsedValue(text), 'reasoningContent'), 'reasoningText')
    : undefined
  return thought === undefined ? texts('text', text) : texts('reasoning', textOf(thought))
}

/** The text of a part, under the names that conventions have for it; of a list of them all, a line each. */
function textOf(part: unknown, depth = 0): string | undefined {
  if (typeof part === 'string' || depth > maxDepth) return typeof part === 'string' ? part : undefined
  const text = firstMember(part, 'text', 'content', 'thinking', 'reasoning', 'refusal', 'summary', 'value')
  const list = listOf(text)
  if (!list) return text === undefined ? undefined : textOf(text, depth + 1)
  const pieces = list.flatMap((piece) => textOf(piece, depth + 1) ?? [])
  return pieces.length === 0 ? undefined : pieces.join('\n')
}

function texts(type: TextPart['type'], text: string | undefined): readonly TextPart[] | undefined {
  if (text === undefined) return undefined
  return text === '' ? [] : [{ type, text }]
}

function optional<T extends MessagePart>(part: T | undefined): readonly T[] | undefined {
  return part === undefined ? undefined : [part]
}
