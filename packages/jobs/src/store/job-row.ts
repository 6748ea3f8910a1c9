import { createHash } from 'node:crypto'
import { badRequest } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { canonicalJson } from '@heddle/json'
import type { NewJob } from '../job.ts'
import { boundedJson, checkedInteger, checkedKey, jobLimits } from '../job-limits.ts'
import type { JobRow } from './jobs-store.ts'

const defaultAttempts = 3

/** The row of a new job. @throws ApiError 400 for a value that is out of range, 413 for a payload above its limit */
export function toJobRow(job: NewJob, { id, now }: { id: string; now: Micros }): JobRow {
  const { idempotency, serialKey } = job
  const payload = boundedJson('payload of a job', job.payload, jobLimits.payloadBytes)
  return {
    id,
    kind: checkedKind(job.kind),
    payload,
    serialKey: serialKey === undefined ? null : checkedKey('serial key', serialKey),
    idempotencyKey: idempotency ? checkedKey('idempotency key', idempotency.key) : null,
    fingerprint: idempotency ? fingerprintOf(job, payload) : null,
    isReleasedByFailure: idempotency?.isReleasedByFailure ?? false,
    runAfter: job.runAfter === undefined ? null : checkedStart(job.runAfter, now),
    maxAttempts: checkedInteger('maxAttempts', job.maxAttempts ?? defaultAttempts, { min: 1, max: jobLimits.maxAttempts }),
    createdAt: now,
  }
}

/** @throws ApiError 400 */
export function checkedKind(kind: string): string {
  if (/^[a-z0-9_]{1,64}$/.test(kind)) return kind
  throw badRequest(`job kind ${JSON.stringify(kind.slice(0, 100))} must be 1 to 64 characters of a-z, 0-9 and _`)
}

/** Does not depend on the order of keys. */
function fingerprintOf({ kind, serialKey, idempotency }: NewJob, payload: string): string {
  const content: unknown = idempotency?.content === undefined ? [kind, serialKey ?? null, JSON.parse(payload)] : idempotency.content
  return createHash('sha256').update(canonicalJson(content)).digest('hex')
}

function checkedStart(runAfter: Micros, now: Micros): Micros {
  const latest = now + jobLimits.runAfterMicros
  if (Number.isSafeInteger(runAfter) && runAfter <= latest) return Math.max(runAfter, 0)
  throw badRequest(`runAfter must be in whole microseconds and at most 30 days ahead (${latest}), got ${runAfter}`)
}
