import type { TracingService } from '@heddle/tracing'
import type { RecordCalls, TracedCall } from '@heddle/training'

/** Stores requests of clients of the Tinker API as calls of the tracing service in the same process. */
export function recordTrainingCalls({ recordOwnCalls }: Pick<TracingService, 'recordOwnCalls'>): RecordCalls {
  return (projectId, calls, signal) => recordOwnCalls(projectId, calls.map(toOwnCall), signal)
}

function toOwnCall({ user_id, run, usage, ...call }: TracedCall): Parameters<TracingService['recordOwnCalls']>[1][number] {
  return {
    ...call,
    attributes: usage ? { kind: 'llm' } : {},
    wb_user_id: user_id,
    wb_run_id: run?.id,
    wb_run_step: run?.step,
    summary: usage ? { usage: { [usage.model]: toUsage(usage) } } : {},
  }
}

function toUsage({ promptTokens, completionTokens }: NonNullable<TracedCall['usage']>) {
  return { requests: 1, prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens }
}
