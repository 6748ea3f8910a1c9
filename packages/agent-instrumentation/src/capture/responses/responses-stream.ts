import type { JsonObject } from '@heddle/core-api'
import { isJsonObject, objectsOf } from '../json-values.ts'

/** Puts the events of a streamed response together. */
export interface ResponseReader {
  add(event: JsonObject): void
  /** The response as it stands: whole after its last event, and before it what has arrived. Undefined where nothing has. */
  response(): JsonObject | undefined
}

export function createResponseReader(): ResponseReader {
  const items = new Map<number, JsonObject>()
  let latest: JsonObject | undefined
  return {
    add(event) {
      if (isJsonObject(event['response'])) latest = event['response']
      else if (typeof event['output_index'] === 'number') addToItem(items, event['output_index'], event)
    },
    response() {
      if (!latest && items.size === 0) return undefined
      const arrived = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item)
      const output = objectsOf(latest?.['output'])
      return { ...latest, output: output.length === 0 ? arrived : output.map((item, place) => withLogprobs(item, items.get(place))) }
    },
  }
}

function addToItem(items: Map<number, JsonObject>, place: number, event: JsonObject) {
  const { type, item, part, delta } = event
  if (isJsonObject(item)) items.set(place, type === 'response.output_item.done' ? withLogprobs(item, items.get(place)) : { ...item })
  const target = items.get(place)
  if (!target) return
  if (type === 'response.content_part.added' && isJsonObject(part)) partOf(target, event, part)
  if (typeof delta !== 'string') return
  if (type === 'response.output_text.delta') addText(partOf(target, event, { type: 'output_text', text: '' }), 'text', event)
  if (type === 'response.refusal.delta') addText(partOf(target, event, { type: 'refusal', refusal: '' }), 'refusal', event)
  if (type === 'response.function_call_arguments.delta') target['arguments'] = `${textOf(target['arguments'])}${delta}`
  if (type === 'response.custom_tool_call_input.delta') target['input'] = `${textOf(target['input'])}${delta}`
}

/** The part that the event is about, begun as `fresh` where it is new. */
function partOf(item: JsonObject, { content_index: index }: JsonObject, fresh: JsonObject): JsonObject {
  const content = objectsOf(item['content'])
  item['content'] = content
  const place = typeof index === 'number' && index >= 0 && index <= content.length ? index : content.length
  return (content[place] ??= { ...fresh })
}

function addText(part: JsonObject, key: 'text' | 'refusal', { delta, logprobs }: JsonObject) {
  part[key] = `${textOf(part[key])}${textOf(delta)}`
  const entries = objectsOf(logprobs)
  if (entries.length > 0) part['logprobs'] = [...objectsOf(part['logprobs']), ...entries]
}

/** Some endpoints send log-probabilities with the pieces of a text alone. */
function withLogprobs(item: JsonObject, arrived: JsonObject | undefined): JsonObject {
  if (!Array.isArray(item['content']) || !arrived) return item
  const before = objectsOf(arrived['content'])
  const content = objectsOf(item['content']).map((part, place) => {
    const entries = objectsOf(before[place]?.['logprobs'])
    return objectsOf(part['logprobs']).length > 0 || entries.length === 0 ? part : { ...part, logprobs: entries }
  })
  return { ...item, content }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
