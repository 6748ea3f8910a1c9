import { isJsonObject } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json'
import { jsonOrUndefined } from '../json-text/json-or-undefined.ts'
import type { TemplateMessage } from './conversation.ts'
import { ChatTemplateError } from './tokenizer-error.ts'

/** A message whose content is text, and whose calls have a JSON object as arguments. */
export type PlainMessage = TemplateMessage & { content: string }

/** A message as it was sent. */
export interface SentMessage {
  role: string
  content?: unknown
  [key: string]: unknown
}

/**
 * Messages in the form of chat templates. Content in parts becomes one text, joined by line breaks; the content of a refusal is its text; null is
 * empty, and other null fields are omitted. Absent or empty arguments of calls are `{}`. An older `function_call` becomes a tool call, and the
 * message with role `function` its result. Messages in plain form are returned unchanged.
 * @throws ChatTemplateError that begins with the name of the message from `nameOf`, if it would be rendered wrong or incomplete
 */
export function toPlainMessages(
  messages: readonly SentMessage[],
  nameOf: (index: number) => string = (index) => `message ${index}`,
): PlainMessage[] {
  let calledId: string | undefined
  return messages.map((message, index) => {
    const refuse: Refuse = (reason) => {
      throw new ChatTemplateError(`${nameOf(index)} ${reason}`)
    }
    if (isSet(message['audio'])) refuse('has `audio`, which is not text; the models here read text alone')
    const calls = readCalls(message, index, refuse)
    if (isSet(message['function_call'])) calledId = calls[0]?.['id'] as string | undefined
    const { function_call: _call, refusal, tool_calls: _calls, content, ...rest } = message
    const isResult = message.role === 'function' && calledId !== undefined
    return {
      ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => isSet(value))) as typeof rest),
      ...(isResult && { role: 'tool', tool_call_id: calledId }),
      content: readContent(content, refusal, refuse),
      ...(calls.length > 0 && { tool_calls: calls }),
    }
  })
}

type Refuse = (reason: string) => never

const isSet = (value: unknown) => value !== null && value !== undefined

function readContent(content: unknown, refusal: unknown, refuse: Refuse): string {
  const text = contentText(content, refuse)
  if (!isSet(refusal) || refusal === '' || refusal === text) return text
  if (typeof refusal !== 'string') return refuse('has a `refusal` that is not text')
  return text === '' ? refusal : refuse('has both content and a `refusal`; a model says one of them')
}

function contentText(content: unknown, refuse: Refuse): string {
  if (!isSet(content)) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return refuse('has content that is neither text nor a list of parts')
  return content.map((part: unknown) => partText(part, refuse)).join('\n')
}

function partText(part: unknown, refuse: Refuse): string {
  const { type, text, refusal } = isJsonObject(part) ? part : {}
  if (typeof text === 'string') return text
  if (type === 'refusal' && typeof refusal === 'string') return refusal
  return refuse(`has content of type ${JSON.stringify(type ?? null)}, which is not text; the models here read text alone`)
}

type Call = Record<string, unknown>

function readCalls({ tool_calls: calls, function_call: older }: SentMessage, index: number, refuse: Refuse): Call[] {
  if (isSet(calls) && !Array.isArray(calls)) return refuse('has `tool_calls` that are not a list')
  const list = (calls ?? []) as unknown[]
  if (!isSet(older)) return list.map((call) => readCall(call, refuse))
  if (list.length > 0) return refuse('has both `tool_calls` and a `function_call`; send one of them')
  // Some templates take ids of exactly nine letters and digits.
  return [readCall({ id: `call${String(index).padStart(5, '0').slice(-5)}`, type: 'function', function: older }, refuse)]
}

function readCall(call: unknown, refuse: Refuse): Call {
  if (!isJsonObject(call)) return refuse('has a tool call that is not an object')
  const called = call['function'] ?? call
  if (!isJsonObject(called) || typeof called['name'] !== 'string' || called['name'] === '')
    return refuse('has a tool call without the name of a function')
  const given = readArguments(called['arguments'], called['name'], refuse)
  const written = { ...called, arguments: given }
  return call['function'] === undefined || call['function'] === null ? written : { ...call, function: written }
}

/** A text is returned unchanged. */
function readArguments(value: unknown, name: string, refuse: Refuse): unknown {
  if (!isSet(value) || (typeof value === 'string' && value.trim() === '')) return '{}'
  if (isJsonObject(value)) return value
  const parsed = typeof value === 'string' ? jsonOrUndefined(value) : value
  if (isJsonObject(parsed)) return value
  const hint =
    typeof parsed === 'string' && isJsonObject(jsonOrUndefined(parsed))
      ? 'they are JSON within a JSON text; write them once'
      : 'they must be a JSON object'
  return refuse(`calls ${JSON.stringify(name)} with the arguments ${shortened(value)}; ${hint}`)
}

function shortened(value: unknown): string {
  const text = value === undefined ? 'undefined' : stringifyJson(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
