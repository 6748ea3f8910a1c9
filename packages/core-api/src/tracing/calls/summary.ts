import { checked, Refusal } from '../../shapes/checked.ts'
import { isJsonNumber } from '../../shapes/json-number.ts'
import { readJsonObject } from '../../shapes/json.ts'
import { isJsonObject, type JsonObject } from '../../shapes/json-object.ts'
import { readInteger } from '../../shapes/lenient.ts'

const tokenCounts = new Set([
  'prompt_tokens',
  'input_tokens',
  'completion_tokens',
  'output_tokens',
  'requests',
  'total_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
])
const statuses = ['success', 'error', 'running', 'descendant_error']

/** Reads every member of an object with `read`. Returns the object itself when nothing changed, so that a plain summary is never copied. */
function readMembers(source: unknown, read: (value: unknown, key: string) => unknown): unknown {
  if (!isJsonObject(source)) return readJsonObject(source)
  const changed: [string, unknown][] = []
  for (const [key, value] of Object.entries(source)) {
    const result = read(value, key)
    if (result instanceof Refusal) return new Refusal(result.type, result.message, [key, ...result.path])
    if (result !== value) changed.push([key, result])
  }
  return changed.length === 0 ? source : { ...source, ...Object.fromEntries(changed) }
}

function readCount(value: unknown): unknown {
  // An integer beyond 2^53 keeps its written form.
  return isJsonNumber(value) && /^-?\d+$/.test(value.text) ? value : readInteger(value)
}

function readModelUsage(usage: unknown): unknown {
  return readMembers(usage, (count, key) => (tokenCounts.has(key) && count !== null ? readCount(count) : count))
}

function readStatusCount(count: unknown, status: string): unknown {
  return statuses.includes(status) ? readCount(count) : new Refusal('enum', `Input should be one of ${statuses.join(', ')}`)
}

function readSummaryMember(value: unknown, key: string): unknown {
  if (key === 'usage') return readMembers(value, readModelUsage)
  return key === 'status_counts' ? readMembers(value, readStatusCount) : value
}

/**
 * The summary of an ended call: an open object in which `usage` (model name to token counts) and `status_counts` are checked and their
 * integers made integers. Everything else is passed on by reference.
 */
export const Summary = checked<JsonObject>((value) => readMembers(value, readSummaryMember) as JsonObject | Refusal, {
  type: 'object',
  properties: {
    usage: {
      type: 'object',
      maxProperties: 10_000,
      additionalProperties: {
        type: 'object',
        properties: Object.fromEntries([...tokenCounts].map((name) => [name, { type: ['integer', 'null'] }])),
      },
    },
    status_counts: { type: 'object', properties: Object.fromEntries(statuses.map((status) => [status, { type: 'integer' }])) },
  },
})
