import { readChoiceTokens, toTokens } from './sampled-tokens.ts'
import type { SequenceTokenizer } from './sequence-tokenizer.ts'
import { type SampledSequence, SequenceBuilder, type SampledTokens } from './token-sequence-builder.ts'
import type { HistoryElement } from './trainable-elements.ts'
import { type ChatChoice, isChoice } from './trajectory.ts'

interface CarryingChoice {
  choice: ChatChoice & { token_ids: readonly number[]; prompt_token_ids: readonly number[] }
  scored: boolean
  place: string
}

/** The trained choices of a history when each of them carries its tokens and those before it; null when one does not. */
export function choicesWithTokens(elements: readonly HistoryElement[]): CarryingChoice[] | null {
  const trained = elements.filter((element) => element.kind !== 'context')
  const carrying = trained.flatMap((element) => {
    const choice = element.kind === 'scored' ? element.choice : element.element
    if (!isChoice(choice) || choice.token_ids == null || choice.prompt_token_ids == null) return []
    return [{ choice: choice as CarryingChoice['choice'], scored: element.kind === 'scored', place: element.place }]
  })
  return carrying.length === trained.length ? carrying : null
}

/**
 * Sequences from the tokens that choices carry. A choice whose prompt begins with the sequence so far continues it; any other opens a new one, as
 * when the template rewrote an earlier turn.
 */
export function carriedTokens(choices: readonly CarryingChoice[], tokenizer: SequenceTokenizer): SampledSequence[] {
  const builders: SequenceBuilder[] = []
  for (const { choice, scored, place } of choices) {
    const prompt = toTokens(choice.prompt_token_ids, tokenizer, place)
    let builder = builders.at(-1)
    if (!builder?.beginsIn(prompt)) {
      builder = new SequenceBuilder()
      builders.push(builder)
    }
    builder.addContext(prompt.subarray(builder.length))
    builder.addSampled(scored ? readChoiceTokens(choice, tokenizer, place) : withoutLogProbabilities(choice.token_ids, tokenizer, place))
  }
  return builders.map((builder) => builder.build())
}

/** Sampled tokens whose log-probabilities are missing. */
export function withoutLogProbabilities(tokens: readonly number[], tokenizer: SequenceTokenizer, place: string): SampledTokens {
  return { tokens: toTokens(tokens, tokenizer, place), logProbabilities: new Float64Array(tokens.length).fill(Number.NaN) }
}
