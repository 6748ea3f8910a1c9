import { shareOfStep } from '../../objective/learning-rate.ts'
import { suggestLearningRate, type TrainedModel } from '../../objective/settings/resolve-rl-settings.ts'
import { countOnes } from '../../sequences/mask.ts'
import { parseSftLine } from '../../sequences/fine-tuning/parse-sft-line.ts'
import type { SequenceTokenizer } from '../../sequences/sequence-tokenizer.ts'
import { labelConversation, type LabelledSequence } from '../../sequences/fine-tuning/sft-example.ts'
import { type ChangedTexts, changedNote, newChangedTexts, noteChanged } from '../changed-texts.ts'
import { createPacer } from '../pacer.ts'
import type { NothingToTrain } from '../rl/prepared-rl.ts'
import { learningRateNote } from '../rl/rl-notes.ts'
import { TrainingFailure } from '../training-failure.ts'
import { resolveBatchSize, type SftConfig } from './sft-config.ts'

export interface PrepareSftInput {
  /** Lines of the training data, without their line breaks. */
  lines: Iterable<string> | AsyncIterable<string>
  config: SftConfig
  model: TrainedModel
  tokenizer: SequenceTokenizer
  signal: AbortSignal
}

/** Conversations of one gradient step. */
export interface SftBatch {
  sequences: LabelledSequence[]
  learningRate: number
  /** Share of a step, above 0 to 1: how much of its learning rate is used. */
  share: number
}

/** The plan of a job of supervised fine-tuning. */
export interface PreparedSft {
  /** In the order of training. One gradient step each: their number is `num_sequences` of the first event. */
  batches: SftBatch[]
  /** Conversations that were too long, or held nothing to learn. */
  dropped: number
  /** Set if there are no batches. */
  nothingToTrain: NothingToTrain | null
  /** Metrics of the checkpoint, by the names on the wire; the averages of the gradient steps are added. */
  metrics: Record<string, number>
  /** Notes for the sender, for the first event. */
  notes: string[]
  /** The config with every default filled in, by the names on the wire. */
  resolvedConfig: Record<string, unknown>
}

/**
 * Converts lines of conversations into batches of labelled sequences, in the order of the lines. Conversations longer than the model's context are
 * dropped, but still count in their batch, so that a list of learning rates keeps its alignment. Yields to the event loop in between.
 * @throws TrainingInputError that names the line, TrainingFailure if the number of learning rates is not that of the batches
 */
export async function prepareSft(input: PrepareSftInput): Promise<PreparedSft> {
  const { config, model } = input
  const batchSize = resolveBatchSize(config)
  const { examples, ignoredMasks, lostReasonings, changed } = await readExamples(input)
  const batches = toBatches(examples, batchSize)
  const rates = learningRates(config, model, { batches: batches.length, examples: examples.length, batchSize })
  const shares = Array.isArray(config.learning_rate) ? batches.map(() => 1) : sharesOfBatches(batches, batchSize)
  const filled = batches.flatMap((sequences, at) =>
    sequences.length === 0 ? [] : [{ sequences, learningRate: rates[at]!, share: shares[at]! }],
  )
  const kept = filled.flatMap(({ sequences }) => sequences)
  const tooLong = examples.filter((example) => example === 'too long').length
  const dropped = examples.length - kept.length
  return {
    batches: filled,
    dropped,
    nothingToTrain: filled.length > 0 ? null : whyNoTraining(examples.length, tooLong, model),
    metrics: { num_trajectories: kept.length, num_dropped_trajectories: dropped },
    notes: sftNotes({
      config,
      rates,
      tooLong,
      empty: dropped - tooLong,
      lostTurns: kept.reduce((sum, each) => sum + each.lostTurns, 0),
      ignoredMasks,
      lostReasonings,
      changed,
      model,
    }),
    resolvedConfig: {
      batch_size: batchSize,
      learning_rate: config.learning_rate ?? model.learningRates.sft,
      assistant_turns: config.assistant_turns ?? 'all',
    },
  }
}

type Example = LabelledSequence | 'too long' | 'nothing to learn'

interface ReadExamples {
  examples: Example[]
  /** Numbers of the lines whose `loss_mask` is not about their messages, from 1. */
  ignoredMasks: number[]
  /** Numbers of the lines with a reasoning that the template does not write. */
  lostReasonings: number[]
  changed: ChangedTexts
}

async function readExamples({ lines, config, model, tokenizer, signal }: PrepareSftInput): Promise<ReadExamples> {
  const pace = createPacer(signal)
  const read: ReadExamples = { examples: [], ignoredMasks: [], lostReasonings: [], changed: newChangedTexts() }
  let lineNumber = 0
  for await (const line of lines) {
    await pace()
    const conversation = parseSftLine(line, ++lineNumber)
    if (conversation === null) continue
    if (conversation.isMaskIgnored) read.ignoredMasks.push(lineNumber)
    const labelled = labelConversation(conversation, {
      tokenizer,
      turns: config.assistant_turns ?? 'all',
      maxTokens: model.contextLength,
      place: `line ${lineNumber} of the training data`,
    })
    if (labelled === null) read.examples.push('too long')
    else read.examples.push(countOnes(labelled.labels) === 0 ? 'nothing to learn' : labelled)
    if (labelled?.isReasoningLost === true) read.lostReasonings.push(lineNumber)
    if (labelled !== null) noteChanged(read.changed, labelled.learnedTexts, tokenizer)
  }
  return read
}

function toBatches(examples: readonly Example[], size: number): LabelledSequence[][] {
  const batches: LabelledSequence[][] = []
  for (let at = 0; at < examples.length; at += size) {
    batches.push(examples.slice(at, at + size).filter((example): example is LabelledSequence => typeof example !== 'string'))
  }
  return batches
}

/** Share of a step, for each batch. A batch with fewer conversations than the rest, such as the last one, counts by its number of labelled tokens. */
function sharesOfBatches(batches: readonly LabelledSequence[][], batchSize: number): number[] {
  const labelled = batches.map((batch) => batch.reduce((sum, { labels }) => sum + countOnes(labels), 0))
  const isFull = (at: number) => batches[at]!.length === batchSize
  const full = labelled.filter((_, at) => isFull(at))
  return labelled.map((tokens, at) => (isFull(at) ? 1 : shareOfStep(tokens, full)))
}

function learningRates(
  { learning_rate: rate }: SftConfig,
  model: TrainedModel,
  { batches, examples, batchSize }: { batches: number; examples: number; batchSize: number },
): readonly number[] {
  if (typeof rate === 'number' || rate == null) return Array.from({ length: batches }, () => rate ?? model.learningRates.sft)
  if (rate.length === batches) return rate
  throw new TrainingFailure(
    `learning_rate has ${rate.length} values for ${batches} batches (${examples} conversations in batches of ${batchSize}); send one for each batch, or a single number`,
  )
}

interface SftNotesInput {
  config: SftConfig
  rates: readonly number[]
  tooLong: number
  empty: number
  lostTurns: number
  ignoredMasks: readonly number[]
  lostReasonings: readonly number[]
  changed: ChangedTexts
  model: TrainedModel
}

function sftNotes({ config, rates, tooLong, empty, lostTurns, ignoredMasks, lostReasonings, changed, model }: SftNotesInput): string[] {
  const learningRate = rates.reduce((most, rate) => Math.max(most, rate), 0)
  const suggestedLearningRate = suggestLearningRate(learningRate, model.learningRates.sft)
  return [
    learningRateNote({ learningRate, suggestedLearningRate }, model),
    tooLong === 0 ? null : `${tooLong} conversations are longer than the ${model.contextLength} tokens of ${model.id} and were dropped`,
    empty === 0 ? null : `${empty} conversations hold nothing of the assistant to learn and were dropped`,
    lostTurns === 0 ? null : `${lostTurns} turns of the assistant are rewritten by the chat template and were not learned`,
    ignoredMasks.length === 0
      ? null
      : `loss_mask of ${linesText(ignoredMasks)} does not have one 0 or 1 for each message and was ignored; set weight to 0 on messages that are not to be learned`,
    lostReasonings.length === 0
      ? null
      : `reasoning of ${linesText(lostReasonings)} is in a field that the chat template of ${model.id} does not write there, and was not learned; write it into the content`,
    changedNote(changed, model),
    config.metric_logging?.enabled
      ? 'metric_logging: the metrics of each gradient step are rows of the run of this model, which clients of the tracking service read by the name of the model'
      : null,
  ].filter((note) => note !== null)
}

/** Lines that a note names. */
const maxNamedLines = 20

function linesText(lines: readonly number[]): string {
  const more = lines.length - maxNamedLines
  const named = lines.slice(0, maxNamedLines).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more > 0 ? ` and ${more} more` : ''}`
}

function whyNoTraining(examples: number, tooLong: number, model: TrainedModel): NothingToTrain {
  if (examples === 0) return { reason: 'no examples', message: 'no examples: the training data holds no conversation' }
  if (tooLong > 0) {
    const message = `everything truncated: ${tooLong} of ${examples} conversations are longer than the ${model.contextLength} tokens of ${model.id}, and the others hold nothing to learn`
    return { reason: 'everything truncated', message }
  }
  return {
    reason: 'no assistant text',
    message: `no assistant text: none of ${examples} conversations holds anything of the assistant to learn`,
  }
}
