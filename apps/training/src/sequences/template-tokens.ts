import { withoutLogProbabilities } from './carried-tokens.ts'
import { createMarks, cutAtMarks } from './marks.ts'
import type { PlainMessage, SentMessage } from '../tokenizer/plain-messages.ts'
import { plainMessages } from './plain-messages.ts'
import { renderAt } from './render-at.ts'
import { readChoiceTokens } from './sampled-tokens.ts'
import type { SequenceTokenizer } from './sequence-tokenizer.ts'
import { type SampledSequence, type SampledTokens, SequenceBuilder } from './token-sequence-builder.ts'
import type { HistoryElement } from './trainable-elements.ts'
import { isChoice, type MessageOrChoice } from './trajectory.ts'
import { TrainingInputError } from './training-input-error.ts'

/** Tags that open reasoning, which both a template and a model may write. */
const openingTag = /<(think|thinking|reasoning)>\s*(?:<\/\1>\s*)?$/
/** Tokens at the beginning of a sample that may contain such a tag. */
const tagTokens = 16

export interface TemplateSequence {
  sequence: SampledSequence
  lossyTokens: number
}

/**
 * The sequence of a history by the chat template of the model: everything around the samples is encoded from the template's text, and the sampled
 * tokens are inserted. The text of a sample is never encoded again: its tokens could differ from those sampled. Only elements without tokens are
 * encoded by their text.
 */
export function templateTokens(
  { elements, tools }: { elements: readonly HistoryElement[]; tools: readonly unknown[] | null },
  tokenizer: SequenceTokenizer,
): TemplateSequence {
  const trained = elements.filter((element) => element.kind !== 'context')
  const samples = trained.map((element) => readSample(element, tokenizer))
  const context = readContext(elements)
  const marks = createMarks([context, tools], trained.length)
  const unused = marks.marks.values()
  const messages = context.map((message) => message ?? { role: 'assistant', content: unused.next().value! })
  const pieces = cutAtMarks(renderAt(trained[0]!.place, tokenizer, { messages, tools }), marks) ?? refuseTemplate(trained)
  const builder = new SequenceBuilder()
  let last: number | undefined
  for (const [at, sample] of samples.entries()) {
    const context = tokenizer.encode(withoutRepeatedTag(pieces[at]!, sample, tokenizer))
    // The template ends a turn with the token that the sample may have ended with.
    builder.addContext(last !== undefined && context[0] === last ? context.subarray(1) : context)
    builder.addSampled(sample)
    last = sample.tokens[sample.tokens.length - 1]
  }
  return { sequence: builder.build(), lossyTokens: samples.reduce((sum, sample) => sum + sample.lossyTokens, 0) }
}

function refuseTemplate(trained: readonly TrainedElement[]): never {
  throw new TrainingInputError(
    `the chat template does not write each of ${trained
      .map(({ place }) => place)
      .slice(0, 5)
      .join(', ')} once and in order, so their tokens cannot be placed; send token_ids and prompt_token_ids with each choice`,
  )
}

type TrainedElement = Exclude<HistoryElement, { kind: 'context' }>

function readSample(element: TrainedElement, tokenizer: SequenceTokenizer): SampledTokens & { lossyTokens: number } {
  if (element.kind === 'scored') return readChoiceTokens(element.choice, tokenizer, element.place)
  const { element: unscored, place } = element
  const carried = isChoice(unscored) ? unscored.token_ids : null
  const tokens = carried ?? [...tokenizer.encode(contentOf(unscored, place))]
  return { ...withoutLogProbabilities(tokens, tokenizer, place), lossyTokens: 0 }
}

const contentOf = (element: MessageOrChoice, place: string) => plainMessages([toMessage(element)], () => place)[0]!.content

/** The messages that the template writes unchanged; null for those that are trained on. */
function readContext(elements: readonly HistoryElement[]): (PlainMessage | null)[] {
  const sent = elements.map((element) => (element.kind === 'context' ? toMessage(element.message) : { role: 'assistant' }))
  const plain = plainMessages(sent, (at) => elements[at]!.place)
  return elements.map(({ kind }, at) => (kind === 'context' ? plain[at]! : null))
}

/** A choice that is context is replaced by its message. */
function toMessage(element: MessageOrChoice): SentMessage {
  if (!isChoice(element)) return element
  const { content, tool_calls, function_call, refusal } = element.message
  return { role: 'assistant', content, tool_calls, function_call, refusal }
}

/** Template and sample may both open the reasoning; the sample's tag is kept. */
function withoutRepeatedTag(piece: string, sample: SampledTokens, tokenizer: SequenceTokenizer): string {
  const tag = openingTag.exec(piece)
  if (!tag) return piece
  const beginning = tokenizer.decode(sample.tokens.subarray(0, tagTokens))
  return beginning.startsWith(`<${tag[1]}>`) ? piece.slice(0, tag.index) : piece
}
