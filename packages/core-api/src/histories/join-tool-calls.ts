import { isJsonObject, type JsonObject } from '../shapes/json-object.ts'
import { numberText } from '../shapes/json-number.ts'

/** A call as far as it has arrived. */
export interface JoinedToolCall extends JsonObject {
  function: JsonObject & { name: string; arguments: string }
}

export interface ToolCallPlace {
  /** As the endpoint numbers it; null where it does not. */
  index: number | null
  call: JoinedToolCall
}

/** Puts streamed calls of tools together. */
export interface ToolCallJoiner {
  /** Adds the parts that one chunk has. */
  add(deltas: readonly JsonObject[]): void
  /** In the order of their numbers where all have one, else in that of their arrival. */
  places(): ToolCallPlace[]
}

/**
 * Joins the parts of streamed calls as clients of the many endpoints do. A part belongs to the call with its index, whatever number indexes begin
 * with, or to the call with its id, or else to the last one. `id`, `name` and `type` may be sent once or with each part, and may be empty again;
 * arguments and pieces of a name are appended. If an endpoint gives several calls one index, a different id after complete arguments begins the next
 * call.
 */
export function createToolCallJoiner(before: readonly ToolCallPlace[] = []): ToolCallJoiner {
  const all: ToolCallPlace[] = []
  const byIndex = new Map<number, ToolCallPlace>()
  const byId = new Map<string, ToolCallPlace>()

  function open(index: number | null): ToolCallPlace {
    const place: ToolCallPlace = { index, call: { type: 'function', function: { name: '', arguments: '' } } }
    all.push(place)
    return place
  }

  function find(delta: JsonObject, index: number | null, previous: ToolCallPlace | undefined): ToolCallPlace | undefined {
    if (index !== null) {
      const place = byIndex.get(index)
      return place && !beginsAnother(place.call, delta) ? place : undefined
    }
    const id = textOf(delta['id'])
    if (id !== '') return byId.get(id) ?? unnamed(all.at(-1))
    const last = all.at(-1)
    // Parts of one chunk are of different calls.
    return last && last !== previous && !beginsAnother(last.call, delta) ? last : undefined
  }

  function keep(place: ToolCallPlace): void {
    if (place.index !== null) byIndex.set(place.index, place)
    const id = textOf(place.call['id'])
    if (id !== '') byId.set(id, place)
  }

  for (const { index, call } of before) {
    const place = { index, call: { ...call, function: { ...call.function } } }
    all.push(place)
    keep(place)
  }
  return {
    add(deltas) {
      let previous: ToolCallPlace | undefined
      for (const delta of deltas) {
        const index = indexOf(delta)
        const place = find(delta, index, previous) ?? open(index)
        addPart(place.call, delta)
        keep(place)
        previous = place
      }
    },
    places: () => (all.every(({ index }) => index !== null) ? all.toSorted((a, b) => a.index! - b.index!) : [...all]),
  }
}

/** The joined calls, as a message has them. */
export function joinedCalls({ places }: ToolCallJoiner): JoinedToolCall[] {
  return places().map(({ call }) => call)
}

function indexOf({ index }: JsonObject): number | null {
  const number = Number(numberText(index) ?? Number.NaN)
  return Number.isFinite(number) ? number : null
}

/** Whether the part names another call although the one here is complete. */
function beginsAnother(call: JoinedToolCall, delta: JsonObject): boolean {
  const part = isJsonObject(delta['function']) ? delta['function'] : {}
  const id = textOf(delta['id'])
  if (textOf(part['name']) === '' || (id === '' ? textOf(part['arguments']) === '' : id === call['id'])) return false
  return isWhole(call.function.arguments)
}

/** A call that an id can still be given to. */
function unnamed(place: ToolCallPlace | undefined): ToolCallPlace | undefined {
  return place && textOf(place.call['id']) === '' && !isWhole(place.call.function.arguments) ? place : undefined
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}

function addPart(call: JoinedToolCall, delta: JsonObject): void {
  for (const [key, value] of Object.entries(delta)) {
    const isField = key !== 'index' && key !== 'function'
    if (isField && value !== null && value !== undefined && value !== '') call[key] = value
  }
  const part = delta['function']
  if (!isJsonObject(part)) return
  const { name, arguments: more, ...others } = part
  for (const [key, value] of Object.entries(others)) if (value !== null && value !== undefined) call.function[key] = value
  call.function.name = joinedName(call.function.name, textOf(name))
  call.function.arguments += typeof more === 'string' ? more : isJsonObject(more) ? JSON.stringify(more) : ''
}

/** A name is sent once, again in full with each part, or in pieces. */
function joinedName(before: string, name: string): string {
  if (name === '' || name === before) return before
  return name.startsWith(before) ? name : before + name
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
