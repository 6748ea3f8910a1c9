import type { JsonObject } from '@heddle/core-api'
import { isJsonObject, objectsOf } from '../json-values.ts'

/** Converts items of the Agents SDK to items of the Responses API; a text is returned unchanged. */
export function toInputItems(input: unknown): unknown {
  return Array.isArray(input) ? objectsOf(input).map(toInputItem) : input
}

function toInputItem(item: JsonObject): JsonObject {
  const { type, callId, id } = item
  const named = typeof id === 'string' ? { id } : {}
  if (type === 'function_call') return { ...named, type, call_id: callId, name: item['name'], arguments: item['arguments'] }
  if (type === 'function_call_result') return { type: 'function_call_output', call_id: callId, output: toOutput(item['output']) }
  if ((type === 'message' || type === undefined) && typeof item['role'] === 'string')
    return { ...named, type: 'message', role: item['role'], content: toContent(item['content']) }
  return item
}

/** Results of tools are sent as a text where they are one. */
function toOutput(output: unknown): unknown {
  if (Array.isArray(output)) return toContent(output)
  return isJsonObject(output) && output['type'] === 'text' ? output['text'] : output
}

function toContent(content: unknown): unknown {
  return Array.isArray(content) ? objectsOf(content).map(toPart) : content
}

function toPart(part: JsonObject): JsonObject {
  if (part['type'] !== 'input_image' || typeof part['image'] !== 'string') return part
  return { type: 'input_image', image_url: part['image'], ...(part['detail'] !== undefined && { detail: part['detail'] }) }
}
