import type { SequenceTokenizer } from './sequence-tokenizer.ts'
import type { SampledTokens } from './token-sequence-builder.ts'
import type { ChatChoice, TokenLogProbability } from './trajectory.ts'
import { TrainingInputError } from './training-input-error.ts'

/** What servers write for a log-probability that they did not compute. */
const notComputed = -9999

export interface ChoiceTokens extends SampledTokens {
  /** Tokens whose id was looked up by their text, which several tokens may share. */
  lossyTokens: number
}

/** The log-probabilities of a choice; empty when it has none. */
export function scoredTokens(choice: ChatChoice): readonly TokenLogProbability[] {
  const { content, refusal } = choice.logprobs ?? {}
  return content?.length ? content : (refusal ?? [])
}

/** Whether any of its tokens has a log-probability. */
export function hasLogProbabilities(choice: ChatChoice): boolean {
  return scoredTokens(choice).some(({ logprob }) => !isMissing(logprob))
}

/**
 * The tokens of a choice with log-probabilities: its ids, else those named by its entries.
 * @throws TrainingInputError if they are inconsistent, or not in the vocabulary
 */
export function readChoiceTokens(choice: ChatChoice, tokenizer: SequenceTokenizer, place: string): ChoiceTokens {
  const entries = scoredTokens(choice)
  const ids = choice.token_ids ?? null
  if (ids !== null && ids.length !== entries.length) {
    throw new TrainingInputError(`${place} has ${entries.length} logprob entries for ${ids.length} token_ids; it needs one for each`)
  }
  const logProbabilities = readLogProbabilities(entries)
  if (ids !== null) return { tokens: toTokens(ids, tokenizer, place), logProbabilities, lossyTokens: 0 }
  let lossyTokens = 0
  const tokens = entries.map(({ token }) => {
    const named = readTokenId(token)
    if (named !== null) return named
    lossyTokens++
    return lookUp(token, tokenizer, place)
  })
  return { tokens: toTokens(tokens, tokenizer, place), logProbabilities, lossyTokens }
}

/** @throws TrainingInputError for an id that is not in the vocabulary */
export function toTokens(ids: readonly number[], { vocabularySize }: SequenceTokenizer, place: string): Int32Array {
  const tokens = new Int32Array(ids.length)
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!
    if (!Number.isInteger(id) || id < 0 || id >= vocabularySize) {
      throw new TrainingInputError(
        `${place} has token ${id}, which is not in the vocabulary of ${vocabularySize} tokens; it was sampled from another model`,
      )
    }
    tokens[at] = id
  }
  return tokens
}

function readLogProbabilities(entries: readonly TokenLogProbability[]): Float64Array {
  const values = new Float64Array(entries.length)
  for (let at = 0; at < entries.length; at++) {
    const { logprob } = entries[at]!
    values[at] = isMissing(logprob) ? Number.NaN : logprob
  }
  return values
}

const idPrefix = 'token_id:'

/** The number of `token_id:<number>`; null for any other text. */
function readTokenId(text: string): number | null {
  if (!text.startsWith(idPrefix) || text.length === idPrefix.length) return null
  let id = 0
  for (let at = idPrefix.length; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return null
    id = id * 10 + digit
  }
  return id
}

function isMissing(logprob: number): boolean {
  return !Number.isFinite(logprob) || logprob === notComputed
}

function lookUp(text: string, tokenizer: SequenceTokenizer, place: string): number {
  const found = (text === '' ? null : tokenizer.idOf(text)) ?? tokenizer.special.endOfText ?? tokenizer.special.endOfTurn
  if (found !== null) return found
  throw new TrainingInputError(
    `${place} has the token ${JSON.stringify(text)}, which is not in the vocabulary; send tokens as token_id:<number>`,
  )
}
