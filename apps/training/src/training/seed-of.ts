import { createHash } from 'node:crypto'

/** A number from 0 to 2^31 - 1 that is the same in every attempt of a job. */
export function seedOf(jobId: string): number {
  return createHash('sha256').update(jobId).digest().readUInt32BE(0) >>> 1
}
