import type { JsonObject } from '@heddle/core-api'
import { isJsonObject, objectsOf } from '../json-values.ts'

/** Puts the events of a streamed response together. */
export interface ResponseReader {
  add(event: JsonObject): void
  /** The response so far: complete after its last event. Undefined if no part has arrived. */
  response(): JsonObject | undefined
}

export function createResponseReader(): ResponseReader {
  const items = new Map<number, JsonObject>()
  let latest: JsonObject | undefined
  return {
    add(event) {
      if (isJsonObject(event['response'])) latest = event['response']
      else {
        const place = placeOf(items, event)
        if (place !== undefined) addToItem(items, place, event)
      }
    },
    response() {
      if (!latest && items.size === 0) return undefined
      const arrived = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item)
      const output = objectsOf(latest?.['output'])
      return { ...latest, output: output.length === 0 ? arrived : output.map((item, index) => withLogprobs(item, items.get(index))) }
    },
  }
}

/** Index of an item: the given one, else found by id, else the next free one. */
function placeOf(items: ReadonlyMap<number, JsonObject>, { output_index: index, item, item_id: id }: JsonObject): number | undefined {
  if (typeof index === 'number') return index
  const own = isJsonObject(item) ? item['id'] : id
  const known = [...items].find(([, each]) => own !== undefined && each['id'] === own)?.[0]
  return known ?? (isJsonObject(item) ? items.size : undefined)
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

/** The part that the event refers to, created from `fresh` if it does not exist. */
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
  const content = objectsOf(item['content']).map((part, index) => {
    const entries = objectsOf(before[index]?.['logprobs'])
    return objectsOf(part['logprobs']).length > 0 || entries.length === 0 ? part : { ...part, logprobs: entries }
  })
  return { ...item, content }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
