import { type AttemptCalls, splitAttempts } from '../attempts/split-attempts.ts'
import { defaultMaxTraces, findTraces, readTraces, type Selection, type TraceSource } from '../attempts/read-traces.ts'
import { hasScoreOf } from './reward-source.ts'

export interface ScorerRun {
  filter: Selection['filter']
  /** Default 10,000. */
  maxTraces?: number | undefined
  /** Reference to the scorer, with its version. */
  scorer: string
  /** How long nothing new may come before the rest is left without a score. Default 120 s. */
  stallMs?: number
  pollMs?: number
  onProgress?: (progress: { scored: number; total: number }) => void
}

export interface ScoredAttempts {
  /** Attempts that had no score yet. */
  asked: number
  /** Those of them that have one now. */
  scored: number
}

/** Calls of one request. */
const callsAtOnce = 1_000

/**
 * Runs a stored scorer on the server over every attempt that it has not scored, and waits for its scores. What it cannot score stays without one.
 * @throws ApiError, for example where there is no such scorer
 */
export async function runScorer(source: TraceSource, run: ScorerRun): Promise<ScoredAttempts> {
  const ids = await findUnscored(source, run)
  for (let at = 0; at < ids.length; at += callsAtOnce)
    await source.client.scores.scoreCalls({
      project_id: source.project,
      call_ids: ids.slice(at, at + callsAtOnce),
      scorer_refs: [run.scorer],
    })
  const left = await untilScored(source, run, ids)
  return { asked: ids.length, scored: ids.length - left }
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

/** Returns how many are left. */
async function untilScored(source: TraceSource, run: ScorerRun, ids: readonly string[]): Promise<number> {
  const { stallMs = 120_000, pollMs = 500, onProgress, scorer } = run
  let left = new Set(ids)
  let changedAt = performance.now()
  while (left.size > 0 && performance.now() - changedAt < stallMs) {
    onProgress?.({ scored: ids.length - left.size, total: ids.length })
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    source.signal?.throwIfAborted()
    const still = await withoutScore(source, [...left], scorer)
    if (still.size < left.size) changedAt = performance.now()
    left = still
  }
  return left.size
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
