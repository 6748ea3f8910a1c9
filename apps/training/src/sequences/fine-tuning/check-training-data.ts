import { parseExactly } from '../../json-text/parse-exactly.ts'
import { TrainingInputError } from '../training-input-error.ts'
import { parsePreferenceLine } from './parse-preference-line.ts'
import { parseSftLine } from './parse-sft-line.ts'
import { readDataLines } from './read-data-lines.ts'

/** What lines of training data hold: conversations, or preference pairs. */
export type TrainingDataKind = 'conversations' | 'preferences'

export interface CheckedTrainingData {
  kind: TrainingDataKind
  /** Lines that can be learned. */
  examples: number
  /** The line with the most characters, of at most `maxLongest`; null without one. */
  longest: string | null
  /** What is wrong with the first lines that cannot, each with its number. */
  errors: string[]
  /** Lines that cannot be learned, besides those. */
  moreErrors: number
}

/** Characters of a line that an estimate takes. */
const maxLongest = 1_000_000

/** Errors that are named. */
const maxErrors = 20

/**
 * Checks each line as a job does. What only the model's chat template refuses is not known here. `kind`: null for that of the first line that is not
 * blank.
 */
export async function checkTrainingData(content: AsyncIterable<Uint8Array>, kind: TrainingDataKind | null): Promise<CheckedTrainingData> {
  const checked: CheckedTrainingData = { kind: kind ?? 'conversations', examples: 0, longest: null, errors: [], moreErrors: 0 }
  let isKnown = kind !== null
  let lineNumber = 0
  try {
    for await (const line of readDataLines(content)) {
      lineNumber++
      if (!isKnown && line.trim() !== '') {
        checked.kind = kindOf(line)
        isKnown = true
      }
      const parse = checked.kind === 'conversations' ? parseSftLine : parsePreferenceLine
      noteLine(checked, () => parse(line, lineNumber) !== null)
      if (line.length > (checked.longest ?? '').length && line.length <= maxLongest) checked.longest = line
    }
  } catch (error) {
    // A line that is not UTF-8 hides the ones after it.
    noteLine(checked, () => {
      throw error
    })
  }
  return checked
}

/** Names by which preference pairs give their answers. */
const answersOfPairs = ['chosen', 'rejected', 'preferred_output', 'non_preferred_output']

function kindOf(line: string): TrainingDataKind {
  try {
    const value: unknown = parseExactly(line)
    const isPair = typeof value === 'object' && value !== null && answersOfPairs.some((name) => Object.hasOwn(value, name))
    return isPair ? 'preferences' : 'conversations'
  } catch {
    return 'conversations'
  }
}

function noteLine(checked: CheckedTrainingData, isExample: () => boolean): void {
  try {
    if (isExample()) checked.examples++
  } catch (error) {
    if (!(error instanceof TrainingInputError)) throw error
    if (checked.errors.length < maxErrors) checked.errors.push(error.message)
    else checked.moreErrors++
  }
}
