import { useEffect, useRef, useState } from 'react'
import { client } from '../../../lib/server/client.ts'
import { useProject } from '../../../lib/use-project.ts'
import { explain } from '../../../ui/states/query-problem.tsx'
import { newId } from '../../../lib/new-id.ts'
import { addChunk, type Answer, emptyAnswer } from '../../../features/playground/answer.ts'
import { toCall } from './recorded-run.ts'
import { completeAtProvider } from './complete-at-provider.ts'
import { streamChat } from '../../../features/playground/stream-chat.ts'

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

const textOfError = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The request of a variant, and who runs its model. */
export interface VariantRequest {
  body: Record<string, unknown>
  isOfProvider: boolean
}

/** Runs the variants concurrently, each recorded as a call, and stops them on demand or when the page is left. */
export function useRuns() {
  const { entity, project, id: project_id } = useProject()
  const [runs, setRuns] = useState<readonly (Run | undefined)[]>([])
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  const update = (at: number, change: Partial<Run>) =>
    setRuns((all) => all.map((run, place) => (place === at && run ? { ...run, ...change } : run)))

  async function run(at: number, { body, isOfProvider }: VariantRequest, signal: AbortSignal) {
    const startedMs = Date.now()
    let answer = emptyAnswer
    let problem: string | undefined
    let failure: unknown
    const explainEnd = (error: unknown) => (signal.aborted ? 'stopped before the answer was whole' : textOfError(error))
    try {
      if (isOfProvider) {
        const onAnswer = (grown: Answer) => update(at, { answer: grown })
        const { callId, ...ended } = await completeAtProvider(project_id, body, { signal, onAnswer, explain: explainEnd })
        const recorded = callId === null ? { notRecorded: 'The log of the server says why.' } : callId !== undefined && { callId }
        update(at, { isRunning: false, latencyMs: Date.now() - startedMs, ...ended, ...recorded })
        return
      }
      for await (const chunk of streamChat({ ...body, stream_options: { include_usage: true } }, signal)) {
        answer = addChunk(answer, chunk)
        update(at, { answer })
      }
    } catch (error) {
      problem = explainEnd(error)
      failure = error
    }
    const endedMs = Date.now()
    update(at, { isRunning: false, latencyMs: endedMs - startedMs, ...(problem !== undefined && { problem, failure }) })
    await record(at, toCall(project_id, newId(), { body, answer, problem, startedMs, endedMs }))
  }

  async function record(at: number, call: ReturnType<typeof toCall>) {
    try {
      await client.calls.complete({ entity, project, batch: [call] } as Parameters<typeof client.calls.complete>[0])
      update(at, { callId: call.id })
    } catch (error) {
      update(at, { notRecorded: explain(error), recordFailure: error })
    }
  }

  return {
    runs,
    isRunning: runs.some((one) => one?.isRunning),
    async start(requests: readonly VariantRequest[]) {
      const { signal } = (controller.current = new AbortController())
      setRuns(requests.map(() => ({ answer: emptyAnswer, isRunning: true })))
      await Promise.all(requests.map((request, at) => run(at, request, signal)))
    },
    stop: () => controller.current?.abort(),
    /** Forgets the run of a variant that is removed. */
    remove: (at: number) => setRuns((all) => all.filter((_, place) => place !== at)),
  }
}
