/** Attempts at tasks with a place each: a task of a round, and the number of the attempt. Evaluations are round 0. */
export interface AttemptPlace {
  round: number
  task: number
  attempt: number
}

/** Each part has its own range, so that no two attempts of a run share a seed. */
export const seedRanges = { seed: 1_000_000, round: 1_000, task: 1_000, attempt: 100 } as const

/** The same in every run with the same seed. Far below 2^53. */
export function attemptSeed(seed: number, { round, task, attempt }: AttemptPlace): number {
  return ((seed * seedRanges.round + round) * seedRanges.task + task) * seedRanges.attempt + attempt
}

/** The seed of the training job of a round. */
export function jobSeed(seed: number, round: number): number {
  return seed * seedRanges.round + round
}
