import { jsonTextOf } from './json-value.ts'
import type { MediaPart, Message, MessagePart, ToolCallPart, ToolResultPart } from './message.ts'

/** A message as chat completions write it. */
export interface ChatMessage {
  role: string
  content: string | null | readonly unknown[]
  name?: string
  reasoning_content?: string
  refusal?: string
  tool_calls?: readonly { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/**
 * Messages as chat completions write them. Texts are joined by line breaks, arguments are JSON text, and each result of a tool is a message. A call
 * without an id gets one, `call_1` and so on, and a result without one that of the first call of its tool that has no result yet.
 */
export function toChatMessages(messages: readonly Message[]): ChatMessage[] {
  const calls = new OpenCalls()
  return messages.flatMap(({ role, name, parts }) => [
    ...toSaid({ role, name, parts: parts.filter(({ type }) => type !== 'tool_result') }, calls),
    ...parts.filter((part) => part.type === 'tool_result').map((result) => toToolMessage(result, calls)),
  ])
}

function toSaid(
  { role, name, parts }: { role: string; name: string | undefined; parts: readonly MessagePart[] },
  calls: OpenCalls,
): ChatMessage[] {
  if (parts.length === 0) return []
  const [reasoning, refusal] = (['reasoning', 'refusal'] as const).map((type) => textsOf(parts, type))
  const toolCalls = parts.filter((part) => part.type === 'tool_call').map((call) => calls.open(call))
  const content = contentOf(parts)
  return [
    {
      role,
      content: content === '' && (toolCalls.length > 0 || refusal !== '') ? null : content,
      ...(name !== undefined && { name }),
      ...(reasoning !== '' && reasoning !== undefined && { reasoning_content: reasoning }),
      ...(refusal !== '' && refusal !== undefined && { refusal }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    },
  ]
}

function toToolMessage({ id, name, result }: ToolResultPart, calls: OpenCalls): ChatMessage {
  const known = id ?? calls.close(name)
  return { role: 'tool', content: asText(result), ...(known !== undefined && { tool_call_id: known }) }
}

/** Calls of tools that got an id here, for the results that have none either. */
class OpenCalls {
  readonly #open: { id: string; name: string }[] = []
  #made = 0

  open({ id, name, arguments: given }: ToolCallPart) {
    const called = { type: 'function', function: { name, arguments: asText(given ?? {}) } } as const
    if (id !== undefined) return { id, ...called }
    const made = `call_${++this.#made}`
    this.#open.push({ id: made, name })
    return { id: made, ...called }
  }

  close(name: string | undefined): string | undefined {
    const at = this.#open.findIndex((call) => name === undefined || call.name === name)
    return at < 0 ? undefined : this.#open.splice(at, 1)[0]?.id
  }
}

function textsOf(parts: readonly MessagePart[], type: 'text' | 'reasoning' | 'refusal'): string {
  return parts.flatMap((part) => (part.type === type ? part.text : [])).join('\n')
}

/** A text where there are only texts, else the parts. */
function contentOf(parts: readonly MessagePart[]): string | readonly unknown[] {
  const shown = parts.filter(({ type }) => type === 'text' || type === 'media' || type === 'other')
  if (shown.every(({ type }) => type === 'text')) return textsOf(shown, 'text')
  return shown.map((part) => (part.type === 'media' ? toMediaContent(part) : part.type === 'other' ? part.value : part))
}

function toMediaContent({ modality, mimeType, url, data, fileId, name }: MediaPart): unknown {
  const address = url ?? (data === undefined ? undefined : `data:${mimeType ?? 'application/octet-stream'};base64,${data}`)
  if (modality === 'image' && address !== undefined) return { type: 'image_url', image_url: { url: address } }
  if (modality === 'audio' && data !== undefined)
    return { type: 'input_audio', input_audio: { data, format: mimeType?.split('/')[1] ?? 'wav' } }
  return {
    type: 'file',
    file: { ...(fileId === undefined ? { file_data: address } : { file_id: fileId }), ...(name !== undefined && { filename: name }) },
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (jsonTextOf(value) ?? '')
}
