import { carriedTokens, choicesWithTokens } from './carried-tokens.ts'
import { readExchanges } from './read-exchanges.ts'
import type { SequenceTokenizer } from './sequence-tokenizer.ts'
import { templateTokens } from './template-tokens.ts'
import type { SampledSequence } from './token-sequence-builder.ts'
import { isTrainable, trainableElements } from './trainable-elements.ts'
import type { History, Trajectory } from './trajectory.ts'

export interface TokenizeOptions {
  tokenizer: SequenceTokenizer
  /** Trains choices without log-probabilities and messages of the assistant as well, with a ratio of 1. */
  withoutLogProbabilities: boolean
  /** Whether a response of this model, by the name in it, is of the model under training. */
  isTrainedModel: (name: string) => boolean
}

export interface TokenizedTrajectory {
  /** Those with a sampled token, of all histories in order. */
  sequences: SampledSequence[]
  lossyTokens: number
}

/**
 * The sequences of a trajectory: of its main history, then of each additional one. A history without anything to train on gives none, and one whose
 * template rewrites earlier turns gives several. `place` is where the trajectory is in the request, for errors.
 * @throws TrainingInputError
 */
export function tokenizeTrajectory(trajectory: Trajectory, options: TokenizeOptions, place: string): TokenizedTrajectory {
  const sequences: SampledSequence[] = []
  let lossyTokens = 0
  for (const { history, place: historyPlace } of historiesOf(trajectory, options, place)) {
    const tokenized = tokenizeHistory(history, options, historyPlace)
    sequences.push(...tokenized.sequences.filter(({ mask }) => mask.includes(1)))
    lossyTokens += tokenized.lossyTokens
  }
  return { sequences, lossyTokens }
}

/** Whether anything in it would be trained on. */
export function hasTrainableElement(trajectory: Trajectory, options: TokenizeOptions, place: string): boolean {
  return historiesOf(trajectory, options, place).some(({ history }) =>
    history.messages_and_choices.some((element) => isTrainable(element, options.withoutLogProbabilities)),
  )
}

function historiesOf(trajectory: Trajectory, options: TokenizeOptions, place: string): { history: History; place: string }[] {
  if (trajectory.exchanges != null) {
    const histories = readExchanges(trajectory.exchanges, { isTrainedModel: options.isTrainedModel, place: `${place}.exchanges` })
    return histories.map((history, at) => ({ history, place: `${place}.exchanges (conversation ${at})` }))
  }
  const main = { messages_and_choices: trajectory.messages_and_choices ?? [], tools: trajectory.tools }
  const additional = (trajectory.additional_histories ?? []).map((history, at) => ({
    history,
    place: `${place}.additional_histories.${at}`,
  }))
  return [{ history: main, place }, ...additional]
}

function tokenizeHistory(history: History, options: TokenizeOptions, place: string): TokenizedTrajectory {
  const { tokenizer, withoutLogProbabilities } = options
  const elements = trainableElements(history.messages_and_choices, { withoutLogProbabilities, place })
  if (elements.length === 0) return { sequences: [], lossyTokens: 0 }
  const carrying = choicesWithTokens(elements)
  if (carrying !== null) return { sequences: carriedTokens(carrying, tokenizer), lossyTokens: 0 }
  const { sequence, lossyTokens } = templateTokens({ elements, tools: toFunctionTools(history.tools) }, tokenizer)
  return { sequences: [sequence], lossyTokens }
}

/** Some clients put the function itself into the list. Null for none. */
export function toFunctionTools(tools: readonly unknown[] | null | undefined): unknown[] | null {
  if (!tools?.length) return null
  return tools.map((tool) => (isObject(tool) && !('type' in tool) ? { type: 'function', function: tool } : tool))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
