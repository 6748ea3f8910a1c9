import { setImmediate } from 'node:timers/promises'
import { isJsonObject, tooLarge } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import type { EvalResultsStore, StoredExample } from '../eval-results-store.ts'
import { digestInRef, rowDigest } from './row-digest.ts'

/** Predict-and-score calls of one query. */
export const maxTrials = 1_000_000

/** The trials of one evaluation, in the order of their start and then id. */
export interface EvaluationTrials {
  evaluation_call_id: string
  trials: readonly TrialKey[]
  /** Place in `trials` by id. */
  places: ReadonlyMap<string, number>
}

/** A predict-and-score call without its payloads. */
export interface TrialKey {
  id: string
  started_micros: number
  /** 64-bit integer as text. */
  version: string
  /** Bytes of the payloads. */
  bytes: number
  row_digest: string
  example: 'none' | 'value' | 'reference'
  /** When a reader stops seeing the call; infinite = never. */
  expires_micros: number
}

/** Bytes of memory that a trial takes, by estimate. */
export const trialBytes = 500

/**
 * Finds the trials of evaluations, in the order of `evaluations`.
 * @throws 413 above 1,000,000 trials.
 */
export async function findTrials(
  store: Pick<EvalResultsStore, 'examples'>,
  project: ProjectScope,
  evaluations: readonly string[],
): Promise<EvaluationTrials[]> {
  const found = new Map<string, TrialKey[]>(evaluations.map((id) => [id, []]))
  const digests = new Map<string, string>()
  let count = 0
  for await (const block of store.examples(project, evaluations)) {
    count += block.length
    if (count > maxTrials) throw tooManyTrials(evaluations.length)
    for (const call of block) found.get(call.evaluation_call_id)?.push(toTrialKey(call, digests))
    // Digests of a block take a few milliseconds.
    await setImmediate()
  }
  return [...found].map(([evaluation_call_id, trials]) => {
    trials.sort(byStart)
    return { evaluation_call_id, trials, places: new Map(trials.map(({ id }, place) => [id, place])) }
  })
}

function tooManyTrials(evaluations: number) {
  const named = evaluations === 1 ? 'The evaluation has' : `The ${evaluations} evaluations together have`
  return tooLarge(
    `${named} more than ${maxTrials} predict-and-score calls: ask for fewer evaluations, or read their calls with /calls/stream_query`,
  )
}

function byStart(one: TrialKey, other: TrialKey): number {
  return one.started_micros - other.started_micros || (one.id < other.id ? -1 : 1)
}

/** `digests` holds each digest once, so that the trials of a row share its text. */
function toTrialKey(
  { id, started_micros, version, bytes, text, all_inputs, expire_micros }: StoredExample,
  digests: Map<string, string>,
): TrialKey {
  const example = text ?? exampleIn(all_inputs)
  const digest = rowDigest(example)
  const known = digests.get(digest)
  if (known === undefined) digests.set(digest, digest)
  return {
    id,
    started_micros,
    version,
    bytes,
    row_digest: known ?? digest,
    example: kindOf(example),
    expires_micros: expire_micros === 0 ? Infinity : expire_micros,
  }
}

function exampleIn(inputs: string): unknown {
  const value = parseJson(inputs, { loneSurrogates: 'keep' })
  return isJsonObject(value) ? (value.example ?? null) : null
}

function kindOf(example: unknown): TrialKey['example'] {
  if (example === null) return 'none'
  return typeof example === 'string' && digestInRef(example) !== undefined ? 'reference' : 'value'
}
