import { messageOf } from '../../../lib/texts/message-of.ts'
import { client } from '../../../lib/server/client.ts'
import type { ProjectName } from '../../../lib/use-project.ts'
import { explain } from '../../../ui/states/query-problem.tsx'
import { newId } from '../../../lib/new-id.ts'
import { addChunk } from '../../../features/playground/add-chunk.ts'
import { type Answer, emptyAnswer } from '../../../features/playground/answer.ts'
import { streamChat } from '../../../features/playground/stream-chat.ts'
import { completeAtProvider } from './complete-at-provider.ts'
import { toCall } from './recorded-run.ts'

/** The answer of one variant so far. */
export interface Run {
  answer: Answer
  isRunning: boolean
  latencyMs?: number
  problem?: string
  /** The failed request, of which the problem is the text. */
  failure?: unknown
  /** The call that it was recorded as. */
  callId?: string
  /** Why it was not recorded. */
  notRecorded?: string
  /** The failed request that should have recorded it. */
  recordFailure?: unknown
}

/** The request of a variant, and who runs its model. */
export interface VariantRequest {
  body: Record<string, unknown>
  isOfProvider: boolean
}

interface Following {
  signal: AbortSignal
  /** What changes of the run. */
  onChange: (change: Partial<Run>) => void
}

/** Runs the model of a variant until its answer is whole or it is stopped, and records the run as a call. Problems become part of the run. */
export async function completeVariant(
  { entity, project, id: project_id }: ProjectName,
  { body, isOfProvider }: VariantRequest,
  { signal, onChange }: Following,
): Promise<void> {
  const startedMs = Date.now()
  let answer = emptyAnswer
  let problem: string | undefined
  let failure: unknown
  const explainEnd = (error: unknown) => (signal.aborted ? 'stopped before the answer was whole' : messageOf(error))
  try {
    if (isOfProvider) {
      const onAnswer = (grown: Answer) => onChange({ answer: grown })
      const { callId, ...ended } = await completeAtProvider(project_id, body, { signal, onAnswer, explain: explainEnd })
      const recorded = callId === null ? { notRecorded: 'The log of the server says why.' } : callId !== undefined && { callId }
      onChange({ isRunning: false, latencyMs: Date.now() - startedMs, ...ended, ...recorded })
      return
    }
    for await (const chunk of streamChat({ ...body, stream_options: { include_usage: true } }, signal)) {
      answer = addChunk(answer, chunk)
      onChange({ answer })
    }
  } catch (error) {
    problem = explainEnd(error)
    failure = error
  }
  const endedMs = Date.now()
  onChange({ isRunning: false, latencyMs: endedMs - startedMs, ...(problem !== undefined && { problem, failure }) })
  const call = toCall(project_id, newId(), { body, answer, problem, startedMs, endedMs })
  try {
    await client.calls.complete({ entity, project, batch: [call] } as Parameters<typeof client.calls.complete>[0])
    onChange({ callId: call.id })
  } catch (error) {
    onChange({ notRecorded: explain(error), recordFailure: error })
  }
}
