import { plainNumber } from '../json-text/plain-number.ts'
import { hasLogProbabilities } from './sampled-tokens.ts'
import { type ChatChoice, type ChatMessage, isChoice, type MessageOrChoice } from './trajectory.ts'
import { TrainingInputError } from './training-input-error.ts'

/** An element of a history, with its role in training. */
export type HistoryElement =
  | { kind: 'context'; message: ChatMessage | ChatChoice; place: string }
  /** Sampled by the policy, with log-probabilities. */
  | { kind: 'scored'; choice: ChatChoice; place: string }
  /** Trained on without log-probabilities: a choice, or a message of the assistant. */
  | { kind: 'unscored'; element: ChatMessage | ChatChoice; place: string }

/**
 * The elements up to the last that is trained on; what follows cannot influence the loss. Empty when none is.
 * A choice is trained on when it has log-probabilities, and with `withoutLogProbabilities` so are choices without and messages of the assistant.
 * @throws TrainingInputError for a message with tool calls that would be trained on by its text
 */
export function trainableElements(
  elements: readonly MessageOrChoice[],
  { withoutLogProbabilities, place }: { withoutLogProbabilities: boolean; place: string },
): HistoryElement[] {
  const found = elements.map((element, at) => toElement(element, withoutLogProbabilities, `${place}.messages_and_choices.${at}`))
  return found.slice(0, found.findLastIndex(({ kind }) => kind !== 'context') + 1)
}

/** Whether an element is trained on. */
export function isTrainable(element: MessageOrChoice, withoutLogProbabilities: boolean): boolean {
  if (isChoice(element)) return withoutLogProbabilities || hasLogProbabilities(element)
  return withoutLogProbabilities && element.role === 'assistant' && plainNumber(element['weight']) !== 0 && element['train'] !== false
}

function toElement(element: MessageOrChoice, withoutLogProbabilities: boolean, place: string): HistoryElement {
  if (!isTrainable(element, withoutLogProbabilities)) return { kind: 'context', message: element, place }
  return isChoice(element) && hasLogProbabilities(element) ? { kind: 'scored', choice: element, place } : unscored(element, place)
}

function unscored(element: ChatMessage | ChatChoice, place: string): HistoryElement {
  const { tool_calls: calls, function_call: older } = isChoice(element) ? element.message : element
  const carriesTokens = isChoice(element) && element.token_ids != null
  if ((calls?.length || older) && !carriesTokens) {
    throw new TrainingInputError(
      `${place} has tool calls and no logprobs: their tokens are not known, so it cannot be trained on; send logprobs, or leave allow_training_without_logprobs out`,
    )
  }
  return { kind: 'unscored', element, place }
}
