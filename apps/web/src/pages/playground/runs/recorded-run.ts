import { type Answer, toAnswerMessage } from '../../../features/playground/answer.ts'

/** A run of one variant that has ended. */
export interface EndedRun {
  body: Record<string, unknown>
  answer: Answer
  /** Why it ended before its answer was whole. */
  problem?: string | undefined
  startedMs: number
  endedMs: number
}

export const opName = 'playground.chat'

/** The recorded call of a run: chat completions do not record one. */
export function toCall(project_id: string, id: string, { body, answer, problem, startedMs, endedMs }: EndedRun) {
  const { usage, finishReason } = answer
  const model = String(body['model'])
  const counts = usage && {
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.total_tokens,
  }
  return {
    project_id,
    id,
    trace_id: id,
    op_name: opName,
    attributes: { kind: 'llm' },
    started_at: new Date(startedMs).toISOString(),
    ended_at: new Date(endedMs).toISOString(),
    inputs: body,
    output: { model, choices: [{ index: 0, message: toAnswerMessage(answer), finish_reason: finishReason }], usage: counts },
    summary: counts ? { usage: { [model]: { ...counts, requests: 1 } } } : {},
    ...(problem !== undefined && { exception: problem }),
  }
}
