import type { JsonObject } from '@heddle/core-api'
import { objectsOf } from '../json-values.ts'

/** Content of a message in the form of chat completions; a text is returned unchanged. */
export function chatParts(content: unknown): unknown {
  return Array.isArray(content) ? objectsOf(content).map(toChatPart) : content
}

/** Text of the assistant, whether it was written as one or as parts. */
export function textOfParts(content: unknown): string {
  return typeof content === 'string' ? content : joined(content, 'text')
}

/** Undefined where the assistant did not refuse. */
export function refusalOfParts(content: unknown): string | undefined {
  return joined(content, 'refusal') || undefined
}

function joined(content: unknown, key: 'text' | 'refusal'): string {
  return objectsOf(content)
    .map((part) => (typeof part[key] === 'string' ? part[key] : ''))
    .join('')
}

function toChatPart(part: JsonObject): JsonObject {
  const { type, text } = part
  if (type === 'input_text' || type === 'output_text') return { type: 'text', text }
  if (type !== 'input_image') return part
  const { image_url: url, detail } = part
  return { type: 'image_url', image_url: { url, ...(detail !== undefined && detail !== null && { detail }) } }
}
