import type { Micros } from '@heddle/datastore'
import { toCallerError, toShownError } from '../../../engine/engine-failure.ts'
import type { CallOutbox } from './call-outbox.ts'
import type { TracedCall } from './traced-call.ts'

/** A request that is traced. */
export interface TracedRequest {
  op: string
  inputs: Record<string, unknown>
}

/** What is recorded of a request that succeeded. */
export interface TracedOutcome {
  output: Record<string, unknown>
  usage?: TracedCall['usage']
}

/** Where calls are stored, and what they are made with. */
export interface TracingDeps {
  outbox: Pick<CallOutbox, 'add'>
  clock: () => Micros
  newId: () => string
}

/** Where a call is recorded. */
export interface TracedPlace extends Pick<TracedCall, 'trace_id' | 'parent_id' | 'thread_id' | 'user_id' | 'run'> {
  project_id: string
}

const maxReason = 2_000

/** As the client reads it. */
const reasonOf = (error: unknown) => toShownError(toCallerError(error, { name: null, step: null })).message.slice(0, maxReason)

/** Does the work, and records how it ended. Does not wait for that to be stored. @throws what the work throws */
export async function traceCall<T>(
  { op, inputs, place: { project_id, ...place } }: TracedRequest & { place: TracedPlace },
  { work, describe }: { work: () => Promise<T>; describe: (result: T) => TracedOutcome },
  { outbox, clock, newId }: TracingDeps,
): Promise<T> {
  const begun = { ...place, id: newId(), op_name: `tinker.${op}`, started_at: clock(), inputs }
  const add = (end: Pick<TracedCall, 'output' | 'exception' | 'usage'>) => outbox.add(project_id, { ...begun, ended_at: clock(), ...end })
  try {
    const result = await work()
    const { output, usage = null } = describe(result)
    add({ output, usage, exception: null })
    return result
  } catch (error) {
    add({ output: null, usage: null, exception: reasonOf(error) })
    throw error
  }
}
