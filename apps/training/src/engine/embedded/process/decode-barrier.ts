/** Loads before a thread that waits gives its core away: some microseconds. */
const spins = 1_000
/** A step of the largest model that fits takes a few seconds. */
const limitMs = 60_000

/** Indexes in the memory that the threads of a team share. */
export const sharedPlaces = { finished: 0, arrived: 1, round: 2, failed: 3 } as const
const placesOfTeam = 4
/** Wakes helper `index`; the first increment reports that it is ready. */
export const wakePlace = (index: number): number => placesOfTeam + 2 * index
/** The step whose part of helper `index` is unclaimed. */
export const claimPlace = (index: number): number => placesOfTeam + 2 * index + 1

export function createShared(helpers: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (placesOfTeam + 2 * helpers)))
}

/** True for the one thread that is to compute the part of helper `index` in a step, from 1. */
export function claim(shared: Int32Array, index: number, step: number): boolean {
  return Atomics.compareExchange(shared, claimPlace(index), step, 0) === step
}

/** Waits while the slot has a value. @throws Error if it still has it after the limit, or another thread has failed */
export function waitWhile(shared: Int32Array, place: number, value: number): void {
  for (let spin = 0; spin < spins; spin++) if (Atomics.load(shared, place) !== value) return
  assertNoneFailed(shared)
  if (Atomics.wait(shared, place, value, limitMs) === 'timed-out') throw new Error('a thread that samples does not answer')
  assertNoneFailed(shared)
}

export function assertNoneFailed(shared: Int32Array): void {
  if (Atomics.load(shared, sharedPlaces.failed) !== 0) throw new Error('a thread that samples has failed')
}

/** Returns once so many threads have called it. */
export function meet(shared: Int32Array, threads: number): void {
  const { arrived, round } = sharedPlaces
  const current = Atomics.load(shared, round)
  if (Atomics.add(shared, arrived, 1) + 1 < threads) {
    waitWhile(shared, round, current)
    return
  }
  Atomics.store(shared, arrived, 0)
  Atomics.add(shared, round, 1)
  Atomics.notify(shared, round)
}
