import { isJsonNumber, isJsonObject, type FeedbackPayloadSchemaAnswer } from '@heddle/core-api/internal'

type JsonType = 'boolean' | 'number' | 'text' | 'null'
export type PayloadPaths = FeedbackPayloadSchemaAnswer['paths']

const maxPaths = 10_000

/** Collects which paths payloads have and of which types their values are. */
export interface PathCollector {
  /** Looks at one parsed payload. A value that is not an object has no paths. */
  add(payload: unknown): void
  /** Sorted by path, each once; at most 10,000. */
  paths(): PayloadPaths
}

export function createPathCollector(): PathCollector {
  const types = new Map<string, Set<JsonType>>()

  function note(path: string, type: JsonType): void {
    if (!/^[A-Za-z0-9_. ]+$/.test(path)) return
    const known = types.get(path)
    if (known !== undefined) known.add(type)
    else if (types.size < maxPaths) types.set(path, new Set([type]))
  }

  function visit(value: unknown, path: string): void {
    if (isJsonObject(value)) visitMembers(value, `${path}.`)
    else if (Array.isArray(value)) for (const element of value) noteScalar(element, path)
    else noteScalar(value, path)
  }

  function noteScalar(value: unknown, path: string): void {
    const type = typeOf(value)
    if (type !== undefined) note(path, type)
  }

  function visitMembers(object: Record<string, unknown>, prefix: string): void {
    for (const [key, member] of Object.entries(object)) {
      if (key.trim() !== '' && !key.includes('.')) visit(member, `${prefix}${key}`)
    }
  }

  return {
    add: (payload) => {
      if (isJsonObject(payload)) visitMembers(payload, '')
    },
    paths: () =>
      [...types]
        .map(([json_path, seen]) => ({ json_path, value_type: valueTypeOf(seen) }))
        .sort((a, b) => (a.json_path < b.json_path ? -1 : 1)),
  }
}

/** Undefined for an object or a list. */
function typeOf(value: unknown): JsonType | undefined {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number' || isJsonNumber(value)) return 'number'
  return typeof value === 'string' ? 'text' : undefined
}

function valueTypeOf(seen: ReadonlySet<JsonType>): PayloadPaths[number]['value_type'] {
  const others = [...seen].filter((type) => type !== 'null')
  if (others.every((type) => type === 'boolean')) return 'boolean'
  return others.every((type) => type === 'number') ? 'numeric' : 'categorical'
}
