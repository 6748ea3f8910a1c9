import type { TrainingSession } from '../../../engine/engine.ts'
import type { ForwardBackwardOutput } from '../../../engine/tinker/protobuf/messages.ts'
import { microBatches } from '../../../training/micro-batches.ts'
import { toEngineCoefficients } from '../../../training/to-engine-coefficients.ts'
import { computeLoss } from './losses.ts'
import type { Pass } from './read-pass.ts'

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
  for (const part of microBatches(sequences, tokensAtATime)) {
    const batch = part.map(({ tokens, scored }) => ({ tokens, scored }))
    const results = await session.forward(batch, signal)
    const outputs = part.map(({ given }, at) => computeLoss(loss, { now: results.logProbabilities[at]!.slice(1), given }))
    if (learns) await session.backward(outputs.map(toEngineRow), signal)
    sum = outputs.reduce((total, output) => total + output.loss, sum)
    for (const values of results.logProbabilities) logProbabilities.push(values.slice(1))
  }
  return { logProbabilities, metrics: { 'loss:sum': sum } }
}

/** Nothing predicts the first token, so it has no coefficient. */
function toEngineRow(output: Parameters<typeof toEngineCoefficients>[0]): Float32Array {
  const row = new Float32Array(output.coefficients.length + 1)
  row.set(toEngineCoefficients(output), 1)
  return row
}
