import { readDataLines } from '../../sequences/fine-tuning/read-data-lines.ts'
import { isOverlong, labelConversation } from '../../sequences/fine-tuning/sft-example.ts'
import type { SequenceTokenizer } from '../../sequences/sequence-tokenizer.ts'
import { TrainingInputError } from '../../sequences/training-input-error.ts'
import { loadTokenizer } from '../../tokenizer/load-tokenizer.ts'
import { conversationsOf } from './prepare-sft.ts'
import { resolveSftConfig, type SftConfig } from './sft-config.ts'

export interface LongestToMeasure {
  tokenizerFolder: string
  config: SftConfig
  /** Tokens that the model takes. */
  contextLength: number
}

/** Lines with the most characters that are tokenized: they need not be those with the most tokens. */
const linesTokenized = 4

/** Yields about how many tokens the longest sequence of training data has, at least 1, also where the model takes fewer. Lines in another form do not count. */
export async function* measureLongest(
  content: AsyncIterable<Uint8Array>,
  { tokenizerFolder, config, contextLength }: LongestToMeasure,
): AsyncGenerator<number> {
  const lines = await findLongestLines(content)
  const tokenizer = await loadTokenizer(tokenizerFolder)
  yield Math.max(1, ...lines.map((line) => tokensOf(line, { tokenizer, config, contextLength })))
}

/** The longest lines before the first that is not UTF-8, at which the job will end. */
async function findLongestLines(content: AsyncIterable<Uint8Array>): Promise<string[]> {
  let longest: string[] = []
  try {
    for await (const line of readDataLines(content)) {
      if (longest.length === linesTokenized && line.length <= longest.at(-1)!.length) continue
      longest = [...longest, line].toSorted((left, right) => right.length - left.length).slice(0, linesTokenized)
    }
  } catch (error) {
    if (!(error instanceof TrainingInputError)) throw error
  }
  return longest
}

function tokensOf(
  line: string,
  { tokenizer, config, contextLength }: Omit<LongestToMeasure, 'tokenizerFolder'> & { tokenizer: SequenceTokenizer },
): number {
  try {
    const conversations = conversationsOf(line, 1, resolveSftConfig(config)) ?? []
    const options = { tokenizer, turns: 'all', maxTokens: contextLength, place: 'a line' } as const
    const labelled = conversations.map((each) => labelConversation(each, options))
    return Math.max(0, ...labelled.map((each) => (isOverlong(each) ? each.overlongTokens : each.tokens.length)))
  } catch (error) {
    if (error instanceof TrainingInputError) return 0
    throw error
  }
}
