import { type Call, displayNameOf } from '@heddle/core-api'
import { toCell } from '../../components/to-text.ts'

/** A call as the table keeps it: short texts alone, so that many rows stay small. */
export interface CallRow {
  id: string
  name: string
  status: CallStatus
  startedAt: string
  latencyMs: number | null
  tokens: number | null
  cost: number | null
  input: string
  output: string
  error: string | undefined
  /** The chosen further columns, in their order. */
  further: string[]
}

export type CallStatus = 'success' | 'error' | 'running'

/** @param columns paths of further columns */
export function toCallRow(call: Call, columns: readonly string[]): CallRow {
  return {
    id: call.id,
    name: displayNameOf(call),
    status: statusOf(call),
    startedAt: call.started_at,
    // As the server counts it, by which it orders calls.
    latencyMs: numberAt(memberOf(call.summary, 'weave'), 'latency_ms') ?? latencyOf(call),
    tokens: sumOfModels(memberOf(call.summary, 'usage'), totalTokens),
    cost: sumOfModels(memberOf(memberOf(call.summary, 'weave'), 'costs'), totalCost),
    input: isNothing(call.inputs) ? '' : toCell(call.inputs),
    output: isNothing(call.output) ? '' : toCell(call.output),
    error: call.exception === null ? undefined : toCell(call.exception),
    further: columns.map((path) => {
      const value = valueAt(call, path)
      return value === undefined || value === null ? '' : toCell(value)
    }),
  }
}

export function statusOf({ exception, ended_at }: Pick<Call, 'exception' | 'ended_at'>): CallStatus {
  if (exception !== null) return 'error'
  return ended_at === null ? 'running' : 'success'
}

/** Milliseconds from start to end; null while a call runs. */
export function latencyOf({ started_at, ended_at }: Pick<Call, 'started_at' | 'ended_at'>): number | null {
  return ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at)
}

const totalTokens = (usage: unknown) =>
  numberAt(usage, 'total_tokens') ??
  addUp(['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens'].map((name) => numberAt(usage, name)))
/** Tokens that a cache read or made are priced apart. */
const costNames = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
]
const totalCost = (costs: unknown) => addUp(costNames.map((name) => numberAt(costs, name)))

function sumOfModels(byModel: unknown, read: (value: unknown) => number | null): number | null {
  if (typeof byModel !== 'object' || byModel === null) return null
  return addUp(Object.values(byModel).map(read))
}

/** Null when there is nothing to add: an unknown cost is not a cost of 0. */
function addUp(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function numberAt(value: unknown, name: string): number | null {
  const found = memberOf(value, name)
  return typeof found === 'number' ? found : null
}

/** The value at a path such as `inputs.messages.0.content`. A name may hold dots itself, which spans do: the longest that is there wins. */
export function valueAt(value: unknown, path: string): unknown {
  const whole = memberOf(value, path)
  if (whole !== undefined) return whole
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const member = memberOf(value, path.slice(0, dot))
    const found = member === undefined ? undefined : valueAt(member, path.slice(dot + 1))
    if (found !== undefined) return found
  }
  return undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

/** Null, or an object without members: spans that said nothing have one. */
export const isNothing = (value: unknown) =>
  value === null || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)

const payloads = ['inputs', 'output', 'attributes', 'summary'] as const
/** More would be no list that a person looks through. */
export const maxPaths = 300

/** Adds the paths of a call that may become columns: two levels of each payload. */
export function addPaths(call: Call, paths: Set<string>): void {
  for (const payload of payloads) {
    for (const [name, value] of entriesOf(call[payload])) {
      if (paths.size >= maxPaths) return
      if (payload === 'attributes' && name === 'otel_span') continue
      const below = Array.isArray(value) ? [] : entriesOf(value)
      if (below.length === 0) paths.add(`${payload}.${name}`)
      else for (const [inner] of below.slice(0, maxPaths - paths.size)) paths.add(`${payload}.${name}.${inner}`)
    }
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
