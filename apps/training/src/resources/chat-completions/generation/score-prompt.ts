import type { Engine, ModelVersion, TokenAlternative } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import type { CompletionPlan } from '../request/plan-completion.ts'
import { type LogprobEntry, toLogprobEntry } from './logprob-entry.ts'

/** A token of a prompt. Nothing predicts the first one. */
export type PromptEntry = LogprobEntry | { token: string; logprob: null }

export interface PromptScoring {
  engine: Pick<Engine, 'score'>
  version: ModelVersion
  plan: CompletionPlan
  tokenizer: ChatTokenizer
  signal: AbortSignal
}

/** Log-probabilities of the tokens of a prompt, of the distribution at temperature 1. @throws EngineError */
export async function scorePrompt(
  { engine, version, plan, tokenizer, signal }: PromptScoring,
  alternatives: number,
): Promise<PromptEntry[]> {
  const { prompt, report } = plan
  const scored = Uint8Array.from(prompt, (_, index) => (index === 0 ? 0 : 1))
  const { logProbabilities, top } = await engine.score(version, [{ tokens: prompt, scored, top: alternatives }], signal)
  const entryOf = (token: number, logProbability: number, others: readonly TokenAlternative[]) =>
    toLogprobEntry(
      { token, logProbability, top: others.map((other) => (other.token === token ? { token, logProbability } : other)) },
      tokenizer,
      report.asTokenIds,
    )
  return Array.from(prompt, (token, index) => {
    const entry = entryOf(token, logProbabilities[0]![index]!, top?.[0]?.[index] ?? [])
    return index === 0 ? { token: entry.token, logprob: null } : entry
  })
}
