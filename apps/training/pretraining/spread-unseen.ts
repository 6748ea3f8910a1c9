import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { openSafetensors, writeSafetensors } from '../src/checkpoint-files/safetensors.ts'
import { createRandom, nextNormal, type Random } from '../src/engine/embedded/random.ts'
import { byteCount } from './model-files/special-tokens.ts'
import type { PretrainingPlan } from './plans.ts'
import { stepBatches } from './step-batches.ts'

/** Steps whose data is looked through. */
const lookedThrough = 400

/** Bytes that the data of a plan does not have. */
export function unseenBytes({ batches, schedule }: Pick<PretrainingPlan, 'batches' | 'schedule'>): number[] {
  const seen = new Set<number>()
  const stride = Math.max(1, Math.floor(schedule.steps / lookedThrough))
  for (let step = 0; step < schedule.steps; step += stride) {
    for (const batch of stepBatches(batches, step)) for (const { tokens } of batch) for (const token of tokens) seen.add(token)
  }
  return Array.from({ length: byteCount }, (_, byte) => byte).filter((byte) => !seen.has(byte))
}

/** Approximate distance between embeddings of trained bytes. */
const distance = 1.5

/**
 * Separates the embeddings of tokens that were never trained. Training pushes all of them to one vector, which makes them improbable; an adapter then
 * cannot learn any of them, since it cannot distinguish them. Each gets its own direction, orthogonal to that vector, so they remain as improbable.
 */
export function spreadRows(rows: Float32Array, { width, unseen, seed }: { width: number; unseen: readonly number[]; seed: bigint }): void {
  const random = createRandom(seed)
  const common = new Float64Array(width)
  for (const row of unseen) for (let at = 0; at < width; at++) common[at]! += rows[row * width + at]! / unseen.length
  for (const row of unseen) {
    const direction = directionAcross(common, random)
    for (let at = 0; at < width; at++) rows[row * width + at]! += distance * direction[at]!
  }
}

/** Random, of length 1. */
function directionAcross(vector: Float64Array, random: Random): Float64Array {
  const drawn = Float64Array.from(vector, () => nextNormal(random))
  const share = dot(drawn, vector) / (dot(vector, vector) || 1)
  const across = drawn.map((value, at) => value - share * vector[at]!)
  const length = Math.sqrt(dot(across, across))
  return across.map((value) => value / length)
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)

/** Does so in the weights of a folder. */
export function spreadUnseen(folder: string, { unseen, seed }: { unseen: readonly number[]; seed: number }): void {
  const path = join(folder, 'model.safetensors')
  const file = openSafetensors(path)
  const tensors = file.names.map((name) => ({ name, ...file.read(name) }))
  file.close()
  const { shape, data } = tensors.find(({ name }) => name === 'model.embed_tokens.weight')!
  spreadRows(data, { width: shape[1]!, unseen, seed: BigInt(seed) })
  writeSafetensors(
    `${path}.new`,
    tensors.map(({ name, shape: sizes, data: values }) => ({ name, shape: sizes, read: () => values })),
  )
  renameSync(`${path}.new`, path)
}
