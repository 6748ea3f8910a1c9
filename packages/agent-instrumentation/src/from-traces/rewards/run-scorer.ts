import { assertFiniteOptions } from '@heddle/core-api/internal'
import { type AttemptCalls, splitAttempts } from '../attempts/split-attempts.ts'
import { defaultMaxTraces, findTraces, readTraces, type Selection, type TraceSource } from '../attempts/read-traces.ts'
import { findFailures } from './find-failures.ts'
import { assertScorer } from './find-scorer.ts'
import { hasScoreOf } from './reward-source.ts'

export interface ScorerRun {
  filter: Selection['filter']
  /** Default 10,000. */
  maxTraces?: number | undefined
  /** Reference to the scorer, with its version. */
  scorer: string
  /** Most milliseconds without a new score before the rest is left without one. Default 120 s. */
  stallMs?: number
  pollMs?: number
  onProgress?: (progress: { scored: number; total: number }) => void
}

export interface ScoredAttempts {
  /** Attempts that had no score yet. */
  requested: number
  /** Attempts that have a score. */
  scored: number
  /** Attempts on which the scorer failed. */
  failed: number
  /** Why it failed on one of them; null where it failed on none. */
  reason: string | null
}

/** Calls of one request. */
const callsAtOnce = 1_000

/** The longest pause between two polls for scores. */
const longestPollMs = 5_000

/**
 * Runs a stored scorer on the server over every attempt that it has not scored, and waits for its scores. Attempts that it cannot score have none.
 * @throws ScorerUnavailable if the scorer does not exist, ApiError, RangeError for an option that is not finite
 */
export async function runScorer(source: TraceSource, run: ScorerRun): Promise<ScoredAttempts> {
  assertFiniteOptions({ ...run, ...run.filter })
  const ids = await findUnscored(source, run)
  if (ids.length === 0) return { requested: 0, scored: 0, failed: 0, reason: null }
  await assertScorer(source, run.scorer)
  const before = await findFailures(source, run.scorer, ids)
  for (let at = 0; at < ids.length; at += callsAtOnce)
    await source.client.scores.scoreCalls({
      project_id: source.project,
      call_ids: ids.slice(at, at + callsAtOnce),
      scorer_refs: [run.scorer],
    })
  return { requested: ids.length, ...(await untilScored(source, run, { ids, before: new Set(before.map(({ id }) => id)) })) }
}

/** The first call of each attempt without a score. */
async function findUnscored(source: TraceSource, { filter, maxTraces = defaultMaxTraces, scorer }: ScorerRun): Promise<string[]> {
  const found = await findTraces(source, { filter, maxTraces, withFeedback: true })
  const chosen = filter.op === undefined ? undefined : found.callIds
  const ids: string[] = []
  const add = (attempt: AttemptCalls) => {
    if (!hasScoreOf(attempt, scorer)) ids.push(attempt.root.id)
  }
  for await (const { calls } of readTraces(source, found.traceIds, true)) splitAttempts(calls ?? [], chosen).forEach(add)
  return ids
}

interface PendingScores {
  ids: readonly string[]
  /** Ids of the calls in which the scorer failed earlier. */
  before: ReadonlySet<string>
}

async function untilScored(
  source: TraceSource,
  run: ScorerRun,
  { ids, before }: PendingScores,
): Promise<Omit<ScoredAttempts, 'requested'>> {
  const { stallMs = 120_000, pollMs = 500, onProgress, scorer } = run
  const failures = new Map<string, string>()
  let left = new Set(ids)
  let changedAt = performance.now()
  let pauseMs = pollMs
  while (left.size > 0 && performance.now() - changedAt < stallMs) {
    onProgress?.({ scored: ids.length - left.size, total: ids.length })
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    source.signal?.throwIfAborted()
    const still = await withoutScore(source, [...left], scorer)
    for (const { id, subject, exception } of await findFailures(source, scorer, [...still]))
      if (!before.has(id) && still.delete(subject)) failures.set(subject, exception)
    const isStill = still.size === left.size
    if (!isStill) changedAt = performance.now()
    pauseMs = isStill ? Math.min(2 * pauseMs, longestPollMs) : pollMs
    left = still
  }
  const [reason = null] = failures.values()
  return { scored: ids.length - left.size - failures.size, failed: failures.size, reason }
}

async function withoutScore({ client, project }: TraceSource, ids: readonly string[], scorer: string): Promise<Set<string>> {
  const left = new Set(ids)
  for (let at = 0; at < ids.length; at += callsAtOnce) {
    const request = {
      project_id: project,
      filter: { call_ids: ids.slice(at, at + callsAtOnce) },
      columns: ['id', 'summary'],
      include_feedback: true,
    }
    for await (const call of client.calls.streamQuery(request)) if (hasScoreOf({ calls: [call] }, scorer)) left.delete(call.id)
  }
  return left
}
