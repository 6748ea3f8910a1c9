import { suggestLearningRate, type TrainedModel } from '../../objective/settings/resolve-rl-settings.ts'
import { countOnes } from '../../sequences/mask.ts'
import { parsePreferenceLine } from '../../sequences/fine-tuning/parse-preference-line.ts'
import { parseSftLine } from '../../sequences/fine-tuning/parse-sft-line.ts'
import type { SequenceTokenizer } from '../../sequences/sequence-tokenizer.ts'
import {
  isOverlong,
  labelConversation,
  type LabelledSequence,
  type OverlongConversation,
  type SftConversation,
} from '../../sequences/fine-tuning/sft-example.ts'
import { type ChangedTexts, changedNote, newChangedTexts, noteChanged } from '../changed-texts.ts'
import { createPacer } from '../pacer.ts'
import { learningRateNote } from '../rl/rl-notes.ts'
import { TrainingFailure } from '../training-failure.ts'
import { holdOut, type SftBatch, type SftExample, sharesOfBatches, toBatches } from './sft-batches.ts'
import { defaultLearningRate, describeSftSettings, resolveSftConfig, type SftConfig, type SftSettings } from './sft-config.ts'

export interface PrepareSftInput {
  /** Lines of the training data, without their line breaks. */
  lines: Iterable<string> | AsyncIterable<string>
  config: SftConfig
  model: TrainedModel
  tokenizer: SequenceTokenizer
  signal: AbortSignal
}

/** The plan of a job of supervised fine-tuning. */
export interface PreparedSft {
  /** In the order of training, at least one. One gradient step each: their number is `num_sequences` of the first event. Of one pass, until `planEpochs`. */
  batches: SftBatch[]
  /** Examples whose loss is measured. */
  heldOut: SftExample[]
  settings: SftSettings
  /** Examples that were too long, or held nothing to learn. */
  dropped: number
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
 * @throws TrainingInputError that names the line, TrainingFailure if nothing can be learned, or the number of learning rates is not that of the batches
 */
export async function prepareSft(input: PrepareSftInput): Promise<PreparedSft> {
  const { config, model } = input
  const settings = resolveSftConfig(config)
  const { examples, ignoredMasks, lostReasonings, changed } = await readExamples(input, settings)
  const { places, heldOut } = partHeldOut(examples, settings)
  const batches = toBatches(places, settings)
  const rates = learningRates(config, model, { batches: batches.length, examples: examples.length, batchSize: settings.batchSize })
  const shares = Array.isArray(config.learning_rate) ? batches.map(() => 1) : sharesOfBatches(batches, settings)
  const filled = batches.flatMap((sequences, at) =>
    sequences.length === 0 ? [] : [{ sequences, learningRate: rates[at]!, share: shares[at]!, epoch: 1, isLastOfEpoch: false }],
  )
  const kept = filled.flatMap(({ sequences }) => sequences)
  const overlong = countOverlong(examples)
  const dropped = examples.length - kept.length - heldOut.length
  if (kept.length === 0) throw nothingToLearn({ examples: examples.length, heldOut: heldOut.length, overlong, settings, model })
  return {
    batches: filled,
    heldOut,
    settings,
    dropped,
    metrics: {
      num_trajectories: kept.length,
      num_dropped_trajectories: dropped,
      ...(heldOut.length > 0 && { num_held_out_trajectories: heldOut.length }),
    },
    notes: sftNotes({
      config,
      rates,
      overlong,
      empty: dropped - overlong.count,
      lostTurns: kept.reduce((sum, each) => sum + each.lostTurns, 0),
      ignoredMasks,
      lostReasonings,
      changed,
      model,
      settings,
      heldOut: heldOut.length,
    }),
    resolvedConfig: { learning_rate: config.learning_rate ?? defaultLearningRate(settings, model), ...describeSftSettings(settings) },
  }
}

/** The places of the examples that are learned, null where one was dropped, and the examples that are held out. */
function partHeldOut(
  examples: readonly Example[],
  { heldOut: share, heldOutRows }: SftSettings,
): { places: (SftExample | null)[]; heldOut: SftExample[] } {
  const places = examples.map((example) => (example === 'nothing to learn' || isOverlong(example) ? null : example))
  if (heldOutRows > 0) {
    if (heldOutRows >= places.length)
      throw new TrainingFailure(`held_out_rows ${heldOutRows} leaves nothing to learn of ${places.length}; lower it`)
    return { places: places.slice(0, -heldOutRows), heldOut: places.slice(-heldOutRows).filter((place) => place !== null) }
  }
  if (share === 0) return { places, heldOut: [] }
  const { learned, heldOut } = holdOut(
    places.filter((place) => place !== null),
    share,
  )
  return { places: learned, heldOut }
}

type Example = SftExample | OverlongConversation | 'nothing to learn'

/** Examples that are longer than the context of the model. */
interface Overlong {
  count: number
  /** Tokens of the longest; 0 if there is none. */
  longest: number
}

function countOverlong(examples: readonly Example[]): Overlong {
  const lengths = examples.flatMap((example) => (example !== 'nothing to learn' && isOverlong(example) ? [example.overlongTokens] : []))
  return { count: lengths.length, longest: lengths.reduce((most, length) => Math.max(most, length), 0) }
}

interface ExamplesOfFile {
  examples: Example[]
  /** Numbers of the lines whose `loss_mask` is not about their messages, from 1. */
  ignoredMasks: number[]
  /** Numbers of the lines with a reasoning that the template does not write. */
  lostReasonings: number[]
  changed: ChangedTexts
}

async function readExamples({ lines, model, tokenizer, signal }: PrepareSftInput, settings: SftSettings): Promise<ExamplesOfFile> {
  const pace = createPacer(signal)
  const read: ExamplesOfFile = { examples: [], ignoredMasks: [], lostReasonings: [], changed: newChangedTexts() }
  let lineNumber = 0
  for await (const line of lines) {
    await pace()
    const conversations = conversationsOf(line, ++lineNumber, settings)
    if (conversations === null) continue
    if (conversations[0]!.isMaskIgnored === true) read.ignoredMasks.push(lineNumber)
    const turns = settings.preference ? 'all' : settings.turns
    const place = `line ${lineNumber} of the training data`
    const labelled = conversations.map((each) => labelConversation(each, { tokenizer, turns, maxTokens: model.contextLength, place }))
    read.examples.push(toExample(labelled))
    const fitting = labelled.filter((each): each is LabelledSequence => !isOverlong(each))
    if (fitting.some(({ isReasoningLost }) => isReasoningLost)) read.lostReasonings.push(lineNumber)
    for (const { learnedTexts } of fitting) noteChanged(read.changed, learnedTexts, tokenizer)
  }
  return read
}

/** The conversations of a line: one, or the chosen and the rejected one of a pair. Null for a blank line. */
export function conversationsOf(
  line: string,
  lineNumber: number,
  { preference }: SftSettings,
): readonly (SftConversation & { isMaskIgnored?: boolean })[] | null {
  if (preference === null) {
    const conversation = parseSftLine(line, lineNumber)
    return conversation && [conversation]
  }
  const pair = parsePreferenceLine(line, lineNumber)
  return pair && [pair.chosen, pair.rejected]
}

/** Of one conversation, or of the two of a pair. */
function toExample(labelled: readonly (LabelledSequence | OverlongConversation)[]): Example {
  const lengths = labelled.flatMap((each) => (isOverlong(each) ? [each.overlongTokens] : []))
  if (lengths.length > 0) return { overlongTokens: Math.max(...lengths) }
  const [first, rejected] = labelled as readonly [LabelledSequence, LabelledSequence?]
  if ([first, rejected].some((each) => each && countOnes(each.labels) === 0)) return 'nothing to learn'
  return rejected ? { ...first, rejected } : first
}

function learningRates(
  config: SftConfig,
  model: TrainedModel,
  { batches, examples, batchSize }: { batches: number; examples: number; batchSize: number },
): readonly number[] {
  const { learning_rate: rate } = config
  if (typeof rate === 'number' || rate == null)
    return Array.from({ length: batches }, () => rate ?? defaultLearningRate(resolveSftConfig(config), model))
  if (rate.length === batches) return rate
  throw new TrainingFailure(
    `learning_rate has ${rate.length} values for ${batches} batches (${examples} conversations in batches of ${batchSize}); send one for each batch, or a single number`,
  )
}

interface SftNotesInput {
  config: SftConfig
  rates: readonly number[]
  overlong: Overlong
  empty: number
  lostTurns: number
  ignoredMasks: readonly number[]
  lostReasonings: readonly number[]
  changed: ChangedTexts
  model: TrainedModel
  settings: SftSettings
  heldOut: number
}

function sftNotes(input: SftNotesInput): string[] {
  const { config, rates, overlong, empty, lostTurns, ignoredMasks, lostReasonings, changed, model, settings, heldOut } = input
  const what = nameOfExamples(settings)
  const learningRate = rates.reduce((most, rate) => Math.max(most, rate), 0)
  const suggestedLearningRate = suggestLearningRate(learningRate, defaultLearningRate(settings, model))
  return [
    learningRateNote({ learningRate, suggestedLearningRate }, model),
    overlong.count === 0
      ? null
      : `${countText(overlong.count, what)} longer than the ${model.contextLength} tokens of ${model.id} and dropped (${longestText(overlong)}): ${waysOut}`,
    empty === 0 ? null : `${countText(empty, what)} dropped: nothing of the assistant to learn`,
    lostTurns === 0 ? null : `${lostTurns} turns of the assistant are rewritten by the chat template and were not learned`,
    ignoredMasks.length === 0
      ? null
      : `loss_mask of ${linesText(ignoredMasks)} does not have one 0 or 1 for each message and was ignored; set weight to 0 on messages that are not to be learned`,
    lostReasonings.length === 0
      ? null
      : `reasoning of ${linesText(lostReasonings)} is in a field that the chat template of ${model.id} does not write there, and was not learned; write it into the content`,
    changedNote(changed, model),
    settings.heldOutRows > 0 && heldOut === 0
      ? 'held_out_rows: no conversation at the end fits into the context with something to learn, so none was held out'
      : null,
    settings.heldOut > 0 && heldOut === 0 ? 'held_out: with fewer than two conversations none was held out' : null,
    config.metric_logging?.enabled
      ? 'metric_logging: the metrics of each gradient step are rows of the run of this model, which clients of the tracking service read by the name of the model'
      : null,
  ].filter((note) => note !== null)
}

/** `1 conversation was`, `2 conversations were`. */
const countText = (count: number, what: string) => (count === 1 ? `1 ${what} was` : `${count} ${what}s were`)

/** Lines that a note names. */
const maxNamedLines = 20

function linesText(lines: readonly number[]): string {
  const more = lines.length - maxNamedLines
  const named = lines.slice(0, maxNamedLines).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more > 0 ? ` and ${more} more` : ''}`
}

const nameOfExamples = ({ preference }: SftSettings) => (preference ? 'preference pair' : 'conversation')
const longestText = ({ longest }: Overlong) => `the longest has ${longest}`
const waysOut = 'shorten them, or train from a base model with a longer context'

interface NothingToLearn {
  examples: number
  heldOut: number
  overlong: Overlong
  settings: SftSettings
  model: TrainedModel
}

function nothingToLearn({ examples, heldOut, overlong, settings, model }: NothingToLearn): TrainingFailure {
  const what = nameOfExamples(settings)
  if (examples === 0) return new TrainingFailure(`no examples: the training data holds no ${what}`)
  if (overlong.count === 0)
    return new TrainingFailure(`no assistant text: none of ${examples - heldOut} ${what}s holds anything of the assistant to learn`)
  const limit = `the ${model.contextLength} tokens of ${model.id} (${longestText(overlong)})`
  const rest = examples - overlong.count
  const others = rest === 0 ? '' : `, and the others ${heldOut > 0 ? 'are held out or ' : ''}hold nothing to learn`
  const count = `${overlong.count} of ${examples} ${what}s`
  return new TrainingFailure(`everything is too long: ${count} are longer than ${limit}${others}; ${waysOut}`)
}
