import { withoutLogProbabilities } from './carried-tokens.ts'
import { flattenContent } from './flatten-content.ts'
import { createMarks, cutAtMarks } from './marks.ts'
import { renderAt } from './render-at.ts'
import { readChoiceTokens } from './sampled-tokens.ts'
import type { SequenceTokenizer } from './sequence-tokenizer.ts'
import { type SampledSequence, type SampledTokens, SequenceBuilder } from './token-sequence-builder.ts'
import type { HistoryElement } from './trainable-elements.ts'
import { isChoice } from './trajectory.ts'
import { TrainingInputError } from './training-input-error.ts'

/** Tags that open reasoning, which both a template and a model may write. */
const openingTag = /<(think|thinking|reasoning)>\s*(?:<\/\1>\s*)?$/
/** Tokens in which such a tag is found at the beginning of a sample. */
const tagTokens = 16

export interface TemplateSequence {
  sequence: SampledSequence
  lossyTokens: number
}

/**
 * The sequence of a history by the chat template of the model: everything around what was sampled is encoded from the template's text, and the
 * sampled tokens are put between. The text of a sample is never encoded again: its tokens could come out differently than they were sampled.
 * Only elements without tokens of their own are encoded by their text.
 */
export function templateTokens(
  { elements, tools }: { elements: readonly HistoryElement[]; tools: readonly unknown[] | null },
  tokenizer: SequenceTokenizer,
): TemplateSequence {
  const trained = elements.filter((element) => element.kind !== 'context')
  const samples = trained.map((element) => readSample(element, tokenizer))
  const context = elements.map((element) => (element.kind === 'context' ? toTemplateMessage(element) : null))
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
  const { content } = isChoice(unscored) ? unscored.message : unscored
  const tokens = carried ?? [...tokenizer.encode(flattenContent(content, place))]
  return { ...withoutLogProbabilities(tokens, tokenizer, place), lossyTokens: 0 }
}

/** A choice that is context stands as the message that it holds. */
function toTemplateMessage({ message, place }: Extract<HistoryElement, { kind: 'context' }>) {
  if (!isChoice(message)) return { ...message, content: flattenContent(message.content, place) }
  const { content, tool_calls: calls } = message.message
  return { role: 'assistant', content: flattenContent(content, place), ...(calls?.length ? { tool_calls: calls } : {}) }
}

/** Template and sample may both open the reasoning; the sample's tag stays. */
function withoutRepeatedTag(piece: string, sample: SampledTokens, tokenizer: SequenceTokenizer): string {
  const tag = openingTag.exec(piece)
  if (!tag) return piece
  const beginning = tokenizer.decode(sample.tokens.subarray(0, tagTokens))
  return beginning.startsWith(`<${tag[1]}>`) ? piece.slice(0, tag.index) : piece
}
