import { badRequest, tooLarge } from '@heddle/core-api/internal'

/** Limits of a job, and of a project's jobs. `docs/limits.md` describes them for users. */
export const jobLimits = {
  payloadBytes: 256 * 1024,
  resultBytes: 256 * 1024,
  savedStateBytes: 1024 * 1024,
  progressBytes: 4 * 1024,
  errorCharacters: 2_000,
  keyCharacters: 255,
  maxAttempts: 20,
  /** Jobs that one call enqueues. */
  batch: 1_000,
  /** Jobs of a project that wait in one queue. */
  waitingPerProject: 10_000,
  pageSize: 1_000,
  runAfterMicros: 30 * 86_400 * 1_000_000,
} as const

/**
 * The value as JSON text.
 * @throws ApiError 400 when it has no JSON, 413 when the text has more bytes than `maxBytes`
 */
export function boundedJson(what: string, value: unknown, maxBytes: number): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw badRequest(`the ${what} is ${typeof value}, which JSON cannot hold; give a JSON value`)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw tooLarge(`the ${what} has ${bytes} bytes as JSON; at most ${maxBytes} are allowed`)
  return text
}

/** A text that a row can hold and an index can find. @throws ApiError 400 */
export function checkedKey(what: string, key: string): string {
  if (key.length === 0 || key.length > jobLimits.keyCharacters)
    throw badRequest(`the ${what} has ${key.length} characters; 1 to ${jobLimits.keyCharacters} are allowed`)
  if (/[\p{Cc}\p{Cs}]/u.test(key)) throw badRequest(`the ${what} ${JSON.stringify(key)} contains a control character; remove it`)
  return key
}

/** @throws ApiError 400 */
export function checkedInteger(what: string, value: number, { min, max }: { min: number; max: number }): number {
  if (!Number.isInteger(value) || value < min || value > max)
    throw badRequest(`${what} must be a whole number from ${min} to ${max}, got ${value}`)
  return value
}
