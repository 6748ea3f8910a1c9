import type { TrainedSequence, TrainingSession } from '../../../engine/engine.ts'
import type { ForwardBackwardOutput } from '../../../engine/tinker/protobuf/messages.ts'
import { microBatches } from '../../../training/micro-batches.ts'
import { toEngineCoefficients } from '../../../training/to-engine-coefficients.ts'
import { computeLoss } from './losses.ts'
import type { Pass, PassSequence } from './read-pass.ts'

/** Tokens that the engine gets at a time. */
const tokensAtATime = 8_192

/** Computes the loss of a batch, and adds its gradients where it learns. The loss is a sum: clients divide by what they mean. @throws EngineError */
export async function runPass(
  { sequences, loss, learns }: Pick<Pass, 'sequences' | 'loss' | 'learns'>,
  session: Pick<TrainingSession, 'forward' | 'backward'>,
  signal: AbortSignal,
): Promise<ForwardBackwardOutput> {
  const logProbabilities: Float32Array[] = []
  let sum = 0
  for (const part of microBatches(sequences, tokensAtATime, sizeOf)) {
    const results = await session.forward(part.map(toEngineSequence), signal)
    const now = part.map((sequence, at) => ofTargets(sequence, results.logProbabilities[at]!))
    const outputs = part.map(({ given }, at) => computeLoss(loss, { now: now[at]!, given }))
    const rows = outputs.map((output, at) => toEngineRow(part[at]!, output))
    if (learns) await session.backward(rows, signal)
    sum = outputs.reduce((total, output) => total + output.loss, sum)
    logProbabilities.push(...now)
  }
  return { logProbabilities, columns: sequences.map(({ columns }) => columns), metrics: { 'loss:sum': sum } }
}

/** The output of the model is computed for each target. */
const sizeOf = ({ tokens, targets }: PassSequence) => Math.max(tokens.length, targets?.tokens.length ?? 0)

const toEngineSequence = ({ tokens, scored, targets }: PassSequence): TrainedSequence => ({ tokens, scored, ...(targets && { targets }) })

/** Values of all targets; 0 for those that were not scored. Nothing predicts the first token. */
function ofTargets({ places, tokens, columns = 1 }: PassSequence, values: Float32Array): Float32Array {
  if (!places) return values.slice(1)
  const all = new Float32Array(tokens.length * columns)
  for (const [at, place] of places.entries()) all[place] = values[at]!
  return all
}

/** Coefficients as the engine takes them. */
function toEngineRow({ places }: PassSequence, output: Parameters<typeof toEngineCoefficients>[0]): Float32Array {
  const coefficients = toEngineCoefficients(output)
  if (places) return Float32Array.from(places, (place) => coefficients[place]!)
  const row = new Float32Array(coefficients.length + 1)
  row.set(coefficients, 1)
  return row
}
