import { createHash } from 'node:crypto'
import { isJsonNumber } from '@heddle/json'
import { refuse } from './refuse.ts'

const lowest = -(2n ** 63n)
const highest = 2n ** 63n - 1n

/** A seed for each choice, all from `seed`: equal requests with an equal seed get equal choices. Without one, `newSeed` gives it. @throws ApiError 400 */
export function readSeeds(seed: unknown, n: number, newSeed: () => bigint): bigint[] {
  const given = seed === null || seed === undefined ? newSeed() : readSeed(seed)
  return Array.from({ length: n }, (_, choice) => seedOfChoice(given, choice))
}

function readSeed(seed: unknown): bigint {
  const text = isJsonNumber(seed) ? seed.text : String(seed)
  const value = /^-?\d{1,20}$/.test(text) ? BigInt(text) : null
  if (value !== null && value >= lowest && value <= highest) return value
  throw refuse('seed', `is ${text.slice(0, 50)}; it must be an integer of 64 bits`)
}

function seedOfChoice(seed: bigint, choice: number): bigint {
  return createHash('sha256').update(`${seed}/${choice}`).digest().readBigUInt64LE()
}
