import { client } from '../../../app/client.ts'
import { memberOf } from '../../../components/members.ts'
import { type Answer, emptyAnswer } from './answer.ts'
import { toAnswer } from './whole-answer.ts'

/** Longer than the server lets a provider take. */
const timeoutMs = 200_000

export interface ProviderRun {
  answer: Answer
  problem?: string
  /** The call that the server recorded. Null where it could not. */
  callId: string | null
}

/** Asks a model of a provider through the server, which records the call. The answer comes as a whole. */
export async function completeAtProvider(project_id: string, body: Record<string, unknown>, signal: AbortSignal): Promise<ProviderRun> {
  const request = { project_id, inputs: body } as Parameters<typeof client.completions.create>[0]
  const { response, weave_call_id: callId } = await client.completions.create(request, { signal, timeoutMs })
  const error = memberOf(response, 'error')
  if (error !== undefined) return { answer: emptyAnswer, problem: typeof error === 'string' ? error : JSON.stringify(error), callId }
  return { answer: toAnswer(response), callId }
}
