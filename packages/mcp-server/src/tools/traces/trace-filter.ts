import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { pathBelow } from '@heddle/core-api/internal'
import { attributePaths, compare, contains, equals, isNamedOp, isThere } from '@heddle/trace-model/query'
import { z } from 'zod'
import { inRange } from '../schema/common-arguments.ts'

const StatusText = z.enum(['success', 'error', 'descendant_error', 'running'])

/** Selects calls. */
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

/** The conditions of a query that a filter means, but for the thread. */
export function conditionsOf(filter: TraceFilter): object[] {
  const { status, op_name, model, min_latency_ms, since, until, trajectory_id, text } = filter
  return [
    ...(status === undefined ? [] : [equals('summary.weave.status', status)]),
    ...(op_name === undefined ? [] : [isNamedOp(op_name)]),
    ...(model === undefined ? [] : [isThere(pathBelow('summary.usage', model))]),
    ...(min_latency_ms === undefined ? [] : [compare('$gte', 'summary.weave.latency_ms', min_latency_ms)]),
    ...(since === undefined ? [] : [compare('$gte', 'started_at', since / 1e6)]),
    ...(until === undefined ? [] : [compare('$lt', 'started_at', until / 1e6)]),
    ...(trajectory_id === undefined ? [] : [inTrajectory(trajectory_id)]),
    ...(text === undefined ? [] : [{ $or: ['inputs_dump', 'output_dump', 'exception'].map((name) => contains(name, text)) }]),
  ]
}

/** Whether the filter looks for calls below roots too. */
export function looksBelowRoots({ op_name, model, trajectory_id, text }: TraceFilter): boolean {
  return [op_name, model, trajectory_id, text].some((one) => one !== undefined)
}

function inTrajectory(id: string): object {
  return { $or: attributePaths(trajectoryAttribute.trajectoryId).map((path) => equals(`attributes.${path}`, id)) }
}
