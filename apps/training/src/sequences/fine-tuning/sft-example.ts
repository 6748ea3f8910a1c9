import { findTurns, type TextSpan } from '../find-turns.ts'
import { plainMessages } from '../plain-messages.ts'
import { reasoningsOf } from '../reasonings-of.ts'
import { renderAt } from '../render-at.ts'
import type { SequenceTokenizer } from '../sequence-tokenizer.ts'
import type { ChatMessage } from '../trajectory.ts'

/** A conversation to learn from. */
export interface SftConversation {
  messages: readonly ChatMessage[]
  tools: readonly unknown[] | null
  /** Indexes of the assistant's messages that are context. Absent: none. */
  unlearned?: ReadonlySet<number>
}

/** A conversation as tokens. Arrays have equal length. */
export interface LabelledSequence {
  tokens: Int32Array
  /** 1 on tokens that are learned. */
  labels: Uint8Array
  /** Turns of the assistant that could not be found in the template's text. */
  lostTurns: number
  /** The learned parts of the template's text. */
  learnedTexts: string[]
  /** Whether a learned message has a reasoning in a separate field that is not among them: the template does not write it there. */
  isReasoningLost: boolean
}

/** A conversation that is longer than the model's context. */
export interface OverlongConversation {
  overlongTokens: number
}

export const isOverlong = (labelled: LabelledSequence | OverlongConversation): labelled is OverlongConversation =>
  'overlongTokens' in labelled

/** Which turns of the assistant are learned. */
export type AssistantTurns = 'all' | 'last'

export interface LabelOptions {
  tokenizer: SequenceTokenizer
  turns: AssistantTurns
  maxTokens: number
  /** Location of the conversation, for errors. */
  place: string
}

/**
 * The tokens of a conversation in the chat template, with labels on the assistant's tokens; their number alone if there are more than `maxTokens`.
 * @throws TrainingInputError when the template refuses it
 */
export function labelConversation(conversation: SftConversation, options: LabelOptions): LabelledSequence | OverlongConversation {
  const { tokenizer, turns, maxTokens, place } = options
  const { tools } = conversation
  const messages = plainMessages(conversation.messages, (at) => `${place}, message ${at}`)
  const text = renderAt(place, tokenizer, { messages, tools })
  if (text.length > maxTokens) {
    const { length } = tokenizer.encode(text)
    if (length > maxTokens) return { overlongTokens: length }
  }
  const all = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  const learned = (turns === 'last' ? all.slice(-1) : all).filter((at) => conversation.unlearned?.has(at) !== true)
  const spans = findTurns({ messages, tools, text, tokenizer, place }, learned)
  const learnedTexts = spans.map(({ from, to }) => text.slice(from, to))
  const sequence = {
    ...encodeSpans(text, spans, tokenizer),
    lostTurns: learned.length - spans.length,
    learnedTexts,
    isReasoningLost: learned.some((at) =>
      reasoningsOf(messages[at]!).some((reasoning) => !learnedTexts.some((learnt) => learnt.includes(reasoning))),
    ),
  }
  return sequence.tokens.length > maxTokens ? { overlongTokens: sequence.tokens.length } : sequence
}

function encodeSpans(text: string, spans: readonly TextSpan[], tokenizer: SequenceTokenizer): Pick<LabelledSequence, 'tokens' | 'labels'> {
  const tokens: number[] = []
  const labels: number[] = []
  const add = (piece: string, label: 0 | 1) => {
    for (const token of tokenizer.encode(piece)) {
      // The first token of a sequence follows from nothing.
      labels.push(tokens.length === 0 ? 0 : label)
      tokens.push(token)
    }
  }
  let at = 0
  for (const { from, to } of spans) {
    add(text.slice(at, from), 0)
    add(text.slice(from, to), 1)
    at = to
  }
  add(text.slice(at), 0)
  return { tokens: Int32Array.from(tokens), labels: Uint8Array.from(labels) }
}
