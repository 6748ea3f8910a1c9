import { readDataLines } from '../sequences/fine-tuning/read-data-lines.ts'
import { readTrajectories } from '../request-body/read-groups.ts'
import { isModel } from '../resources/models/is-model.ts'
import type { ModelRow } from '../resources/models/model-row.ts'
import { loadTokenizer } from '../tokenizer/load-tokenizer.ts'
import { prepareRl, type PrepareRlInput } from '../training/rl/prepare-rl.ts'
import type { PreparedRl } from '../training/rl/prepared-rl.ts'
import { prepareSft, type PreparedSft, type PrepareSftInput } from '../training/sft/prepare-sft.ts'

/** One part of the prepared job: the gradient steps are sent in parts, so that none takes long to arrive. */
export type PreparedPart<Prepared, Steps extends keyof Prepared> = Pick<Prepared, Steps> | Omit<Prepared, Steps>

export interface RlToPrepare extends Omit<PrepareRlInput, 'groups' | 'tokenizer' | 'isTrainedModel' | 'signal'> {
  tokenizerFolder: string
  trainedModel: Pick<ModelRow, 'id' | 'name' | 'project_id'>
}

/** Sequences of one part. */
const partSequences = 1_000

/** The rows of a body of trajectory groups in parts, then all else that was prepared. @throws as `prepareRl` */
export async function* prepareRlBody(
  content: AsyncIterable<Uint8Array>,
  { tokenizerFolder, trainedModel, ...input }: RlToPrepare,
  signal: AbortSignal,
): AsyncGenerator<PreparedPart<PreparedRl, 'rows'>> {
  const tokenizer = await loadTokenizer(tokenizerFolder)
  const isTrainedModel = (name: string) => isModel(name, trainedModel)
  const { rows, ...rest } = await prepareRl({ ...input, groups: readTrajectories(content), tokenizer, isTrainedModel, signal })
  for (const part of inParts(rows)) yield { rows: part }
  yield rest
}

export interface SftToPrepare extends Omit<PrepareSftInput, 'lines' | 'tokenizer' | 'signal'> {
  tokenizerFolder: string
}

/** The batches of training data in parts, then all else that was prepared. @throws as `prepareSft` */
export async function* prepareSftBody(
  content: AsyncIterable<Uint8Array>,
  { tokenizerFolder, ...input }: SftToPrepare,
  signal: AbortSignal,
): AsyncGenerator<PreparedPart<PreparedSft, 'batches'>> {
  const tokenizer = await loadTokenizer(tokenizerFolder)
  const { batches, ...rest } = await prepareSft({ ...input, lines: readDataLines(content), tokenizer, signal })
  for (const part of inParts(batches)) yield { batches: part }
  yield rest
}

function* inParts<Step extends { sequences: readonly unknown[] }>(steps: readonly Step[]): Generator<Step[]> {
  let part: Step[] = []
  let sequences = 0
  for (const step of steps) {
    part.push(step)
    sequences += step.sequences.length
    if (sequences < partSequences) continue
    yield part
    part = []
    sequences = 0
  }
  if (part.length > 0) yield part
}
