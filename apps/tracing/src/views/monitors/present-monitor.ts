import { formatTimestamp } from '@heddle/core-api'
import type { Monitor } from '@heddle/core-api/types'
import { isJsonObject } from '@heddle/core-api/internal'
import type { KeyedJobCounts } from '@heddle/jobs'
import { costOfUsage } from '../../records/costs/cost-of-usage.ts'
import type { PricesByModel } from '../../records/costs/price-usage.ts'
import { timeOfVersion } from '../../records/calls/write/hybrid-clock.ts'
import { MonitorError, readMonitor } from './monitor-definition.ts'
import type { MonitorScores, MonitorUsage } from './monitor-scores-store.ts'
import type { MonitorState } from './monitors-store.ts'

/** The known facts of a monitor. */
export interface MonitorFacts {
  object_id: string
  digest: string
  ref: string
  value: unknown
  state: MonitorState | undefined
  jobs: KeyedJobCounts
  scores: MonitorScores | undefined
  usage: readonly MonitorUsage[]
  prices: PricesByModel
}

/** Shown of a monitor that ended with its key. */
const stoppedError = 'it was switched off with the key that published it; to switch it on, publish a version with another setting'

export function toMonitor({ object_id, digest, ref, value, state, jobs, scores, usage, prices }: MonitorFacts): Monitor {
  const definition = readMonitor(isJsonObject(value) ? value : {})
  const isReadable = !(definition instanceof MonitorError)
  const isStopped = state?.stopped_digest === digest
  return {
    object_id,
    ref,
    active: isReadable && definition.active && !isStopped,
    sampling_rate: isReadable ? definition.samplingRate : null,
    op_names: isReadable ? [...definition.opNames] : [],
    scorers: isReadable ? [...definition.scorers] : [],
    activated_at: state === undefined || state.activated_at === null ? null : formatTimestamp(state.activated_at),
    watermark: state === undefined || state.watermark === null ? null : formatTimestamp(timeOfVersion(state.watermark)),
    sampled: state?.sampled ?? 0,
    skipped: state?.skipped ?? 0,
    pending: jobs.unfinished,
    scored: scores?.scored ?? 0,
    failed: (scores?.failed ?? 0) + jobs.failed,
    ...spentOn(usage, prices),
    error: isReadable ? (isStopped ? stoppedError : (state?.error ?? null)) : definition.message,
  }
}

function spentOn(usage: readonly MonitorUsage[], prices: PricesByModel) {
  const { cost, pricedAs, reported, unpriced } = costOfUsage(usage, prices)
  return {
    prompt_tokens: usage.reduce((sum, { counts }) => sum + counts.input, 0),
    completion_tokens: usage.reduce((sum, { counts }) => sum + counts.output, 0),
    total_cost: cost ?? 0,
    priced_as: pricedAs,
    reported_uses: reported,
    unpriced_uses: unpriced,
  }
}
