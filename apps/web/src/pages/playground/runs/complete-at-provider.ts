import { isApiError } from '@heddle/core-api'
import { client } from '../../../lib/server/client.ts'
import type { Answer } from '../../../features/playground/answer.ts'
import { addLine, emptyRun, type ProviderRun } from './provider-lines.ts'

/** Longer than the server lets a provider take. */
const timeoutMs = 200_000

interface Following {
  signal: AbortSignal
  onAnswer: (answer: Answer) => void
  /** Message for an error. */
  explain: (error: unknown) => string
}

/** Sends a request to a provider's model through the server, which records the call even if it is stopped: the answer so far is kept. */
export async function completeAtProvider(
  project_id: string,
  body: Record<string, unknown>,
  { signal, onAnswer, explain }: Following,
): Promise<ProviderRun> {
  const request = { project_id, inputs: body } as Parameters<typeof client.completions.createStream>[0]
  let run = emptyRun
  try {
    for await (const line of client.completions.createStream(request, { signal, timeoutMs })) {
      run = addLine(run, line)
      onAnswer(run.answer)
    }
    return run
  } catch (error) {
    const callId = isApiError(error) ? error.extra['weave_call_id'] : undefined
    return { ...run, problem: explain(error), failure: error, ...((typeof callId === 'string' || callId === null) && { callId }) }
  }
}
