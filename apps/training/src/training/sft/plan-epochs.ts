import { scheduleShare } from '../../objective/learning-rate.ts'
import { shuffled } from '../../sequences/packing/shuffle.ts'
import type { PreparedSft } from './prepare-sft.ts'
import { type SftBatch, sharesOfBatches, toBatches } from './sft-batches.ts'

/** Repeats the batches of one pass for every pass of the job, each in its order, with the learning rate of each step. The same seed gives the same plan. */
export function planEpochs(prepared: PreparedSft, seed: number): PreparedSft {
  const { settings } = prepared
  const passes = Array.from({ length: settings.epochs }, (_, at) => (settings.shuffle ? inNewOrder(prepared, seed + at) : prepared.batches))
  const total = passes.reduce((sum, batches) => sum + batches.length, 0)
  let step = 0
  const batches = passes.flatMap((pass, at) =>
    pass.map((batch, index) => ({
      ...batch,
      learningRate: batch.learningRate * scheduleShare(step++, total, settings),
      epoch: at + 1,
      isLastOfEpoch: index === pass.length - 1,
    })),
  )
  return { ...prepared, batches }
}

function inNewOrder({ batches, settings }: PreparedSft, seed: number): SftBatch[] {
  const examples = batches.flatMap(({ sequences }) => sequences)
  const cut = toBatches(shuffled(examples, seed), settings)
  const shares = sharesOfBatches(cut, settings)
  return cut.map((sequences, at) => ({ ...batches[0]!, sequences, share: shares[at]! }))
}
