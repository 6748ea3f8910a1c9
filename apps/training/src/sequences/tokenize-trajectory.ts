import { carriedTokens, choicesWithTokens } from './carried-tokens.ts'
import { readExchanges } from './read-exchanges.ts'
import { scoredTokens } from './sampled-tokens.ts'
import type { SequenceTokenizer } from './sequence-tokenizer.ts'
import { templateTokens } from './template-tokens.ts'
import type { SampledSequence } from './token-sequence-builder.ts'
import { isTrainable, trainableElements } from './trainable-elements.ts'
import { type ChatChoice, type History, isChoice, type Trajectory } from './trajectory.ts'

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
  /** Choices that are context since they have no log-probabilities. */
  unscoredChoices: number
  /** Choices that occur in several of its histories, and are trained on in each. */
  repeatedChoices: number
}

/**
 * The sequences of a trajectory: of its main history, then of each additional one. A history with nothing to train on yields none, and one whose
 * template rewrites earlier turns yields several. `place` is the location of the trajectory in the request, for errors.
 * @throws TrainingInputError
 */
export function tokenizeTrajectory(trajectory: Trajectory, options: TokenizeOptions, place: string): TokenizedTrajectory {
  const sequences: SampledSequence[] = []
  let lossyTokens = 0
  const histories = historiesOf(trajectory, options, place)
  for (const { history, place: historyPlace } of histories) {
    const tokenized = tokenizeHistory(history, options, historyPlace)
    sequences.push(...tokenized.sequences.filter(({ mask }) => mask.includes(1)))
    lossyTokens += tokenized.lossyTokens
  }
  return { sequences, lossyTokens, ...countChoices(histories, options) }
}

function countChoices(
  histories: readonly { history: History }[],
  { withoutLogProbabilities }: TokenizeOptions,
): Pick<TokenizedTrajectory, 'unscoredChoices' | 'repeatedChoices'> {
  const choices = histories.map(({ history }) => history.messages_and_choices.filter(isChoice))
  const trained = choices.map((list) => list.filter((choice) => isTrainable(choice, withoutLogProbabilities)))
  const count = (lists: readonly unknown[][]) => lists.reduce((sum, list) => sum + list.length, 0)
  return { unscoredChoices: count(choices) - count(trained), repeatedChoices: countRepeated(trained) }
}

/** A sampled choice is identified by its tokens and their log-probabilities. */
function countRepeated(histories: readonly (readonly ChatChoice[])[]): number {
  const filled = histories.filter((choices) => choices.length > 0)
  if (filled.length < 2) return 0
  const seen = new Set<string>()
  let repeated = 0
  for (const choices of filled) {
    const keys = choices.map((choice) =>
      scoredTokens(choice)
        .map(({ token, logprob }) => `${token} ${logprob}`)
        .join('\n'),
    )
    repeated += keys.filter((key) => key !== '' && seen.has(key)).length
    for (const key of keys) seen.add(key)
  }
  return repeated
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

function tokenizeHistory(
  history: History,
  options: TokenizeOptions,
  place: string,
): Pick<TokenizedTrajectory, 'sequences' | 'lossyTokens'> {
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
