import type { JsonObject } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { runInSlices } from '@heddle/service-kit'
import { usageOfAnswer } from '../../domain/scoring/model/usage.ts'
import { completeSteps } from '../../records/calls/write/call-change.ts'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'

export interface RecordDeps {
  writer: CallsWriter
  /** Hides credentials in a payload. */
  mask: (payload: JsonObject) => JsonObject
  clock: () => Micros
  newId: () => string
}

/** A requested completion. */
export interface RequestedCompletion {
  model: string
  inputs: JsonObject
  trace_id: string | null
  parent_id: string | null
  conversation_id: string | null
  startedAt: Micros
  userId: string
}

/** How it ended. */
export interface EndedCompletion {
  id: string
  requested: RequestedCompletion
  response: JsonObject
  /** Why there is no complete response. */
  exception: string | undefined
}

const opName = 'weave.completions_create'

/** Records a completion as a call. */
export async function recordCompletion(
  project: ProjectScope,
  { id, requested, response, exception }: EndedCompletion,
  deps: RecordDeps,
): Promise<void> {
  const { model, inputs, trace_id, parent_id, conversation_id, startedAt, userId } = requested
  const start = {
    trace_id: trace_id ?? deps.newId(),
    parent_id,
    thread_id: conversation_id,
    op_name: opName,
    started_at: startedAt,
    attributes: { kind: 'llm' },
    inputs: deps.mask(inputs),
    otel: null,
    wb_user_id: userId,
  }
  const usage = usageOfAnswer(model, response)
  const end = {
    ended_at: deps.clock(),
    output: response,
    summary: Object.keys(usage).length === 0 ? {} : { usage },
    ...(exception !== undefined && { exception }),
  }
  await deps.writer.write([{ project, changes: [await runInSlices(completeSteps(id, start, end))] }])
}
