import type { CallRecording } from '../../recorded-trajectories/record-calls.ts'
import type { CompletionPlan } from '../request/plan-completion.ts'
import { createChoiceGatherer } from './gather-choices.ts'
import type { ChoiceDelta } from './choice-writer.ts'

export interface RecordedParts {
  parts: AsyncIterable<ChoiceDelta[]>
  plan: CompletionPlan
  recording: CallRecording
  /** Reports that an answer abandoned by its client could not be recorded. */
  report: (error: unknown) => void
}

/**
 * The parts of a completion on their way. It is recorded before its last part continues, so that a client which has the end can rely on it; what a
 * client leaves is recorded as incomplete.
 */
export async function* recordChoices({ parts, plan, recording, report }: RecordedParts): AsyncGenerator<ChoiceDelta[]> {
  const gatherer = createChoiceGatherer(plan)
  let state: 'empty' | 'sampling' | 'settled' = 'empty'
  const save = (isComplete: boolean) => {
    state = 'settled'
    return recording.save(gatherer.choices({ reasoning: true, logprobs: true, tokenIds: true }), isComplete)
  }
  try {
    for await (const deltas of parts) {
      gatherer.add(deltas)
      state = 'sampling'
      if (gatherer.isComplete()) await save(true)
      yield deltas
    }
  } finally {
    if (state === 'sampling') await save(false).catch(report)
  }
}
