import { z } from 'zod'
import { inRange } from '../schema/common-arguments.ts'

const StatusText = z.enum(['success', 'error', 'descendant_error', 'running'])

/** Which calls, by what people ask for. */
export const traceFilter = {
  status: StatusText.optional(),
  op_name: z.string().optional().describe('Name of an op or span'),
  model: z.string().optional(),
  min_latency_ms: z.number().min(0).optional(),
  ...inRange,
  thread_id: z.string().optional(),
  trajectory_id: z.string().optional(),
  text: z.string().optional().describe('Part of inputs, output or exception'),
}

const Filter = z.object(traceFilter)
export type TraceFilter = z.output<typeof Filter>

const field = ($getField: string) => ({ $getField })
const literal = ($literal: unknown) => ({ $literal })
const equal = (name: string, value: unknown) => ({ $eq: [field(name), literal(value)] })
const contains = (name: string, text: string) => ({ $contains: { input: field(name), substr: literal(text), case_insensitive: true } })

/** The conditions of a query that a filter means. */
export function conditionsOf(filter: TraceFilter): object[] {
  const { status, op_name, model, min_latency_ms, since, until, thread_id, trajectory_id, text } = filter
  return [
    ...(status === undefined ? [] : [equal('summary.weave.status', status)]),
    ...(op_name === undefined ? [] : [namedOp(op_name)]),
    ...(model === undefined ? [] : [{ $convert: { input: field(`summary.usage.${escaped(model)}`), to: 'exists' } }]),
    ...(min_latency_ms === undefined ? [] : [{ $gte: [field('summary.weave.latency_ms'), literal(min_latency_ms)] }]),
    ...(since === undefined ? [] : [{ $gte: [field('started_at'), literal(since / 1e6)] }]),
    ...(until === undefined ? [] : [{ $lt: [field('started_at'), literal(until / 1e6)] }]),
    ...(thread_id === undefined ? [] : [equal('thread_id', thread_id)]),
    ...(trajectory_id === undefined ? [] : [inTrajectory(trajectory_id)]),
    ...(text === undefined ? [] : [{ $or: ['inputs_dump', 'output_dump', 'exception'].map((name) => contains(name, text)) }]),
  ]
}

/** Whether the filter looks for calls below roots too. */
export function looksBelowRoots({ op_name, model, trajectory_id, text }: TraceFilter): boolean {
  return [op_name, model, trajectory_id, text].some((one) => one !== undefined)
}

/** Spans have their attributes below the span that they were. */
function inTrajectory(id: string): object {
  return { $or: ['attributes', 'attributes.otel_span.attributes'].map((place) => equal(`${place}.heddle.trajectory_id`, id)) }
}

/** An op has a versioned reference, a plain name, or the name of its span. */
function namedOp(name: string): object {
  return {
    $or: [
      equal('op_name', name),
      equal('display_name', name),
      equal('summary.weave.trace_name', name),
      equal('attributes.otel_span.name', name),
      { $contains: { input: field('op_name'), substr: literal(`/op/${encodeURIComponent(name)}:`) } },
    ],
  }
}

/** A dot inside of a key is written with a backslash. */
function escaped(key: string): string {
  return key.replaceAll('.', String.raw`\.`)
}
