import type { EvalSummary } from '@heddle/core-api/types'
import { formatDuration } from '../../../lib/time/duration.ts'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import type { AxisOffer, AxisValue } from '../../../features/parallel-coordinates/axis.ts'
import { numberText } from '../../../lib/texts/number-text.ts'
import type { ListedRun } from '../listed-run.ts'

export interface CommonAxis {
  offer: AxisOffer
  /** Null and undefined: the run has no value. */
  of: (run: ListedRun, summary: EvalSummary | undefined) => AxisValue | null | undefined
}

const plain = (value: number) => numberText(value, false)
const asDuration = (seconds: number) => formatDuration(seconds * 1_000)
const ofRun = { group: 'Run', text: plain }
const measured = { group: 'Measured', text: plain }

/** Axes that evaluation runs have whatever their models and scorers are, in the order in which they are offered. */
export const commonAxes: readonly CommonAxis[] = [
  { offer: { ...ofRun, id: 'model', name: 'Model' }, of: ({ model }) => model },
  { offer: { ...ofRun, id: 'run', name: 'Run' }, of: ({ name }) => name },
  { offer: { ...ofRun, id: 'status', name: 'Status' }, of: ({ status }) => status },
  { offer: { ...ofRun, id: 'trials', name: 'Trials' }, of: (_, summary) => summary?.trial_count },
  {
    offer: { ...ofRun, id: 'duration', name: 'Duration', text: asDuration },
    of: ({ duration_us }) => (duration_us === null ? null : duration_us / 1e6),
  },
  { offer: { ...measured, id: 'latency', name: 'Mean latency', text: asDuration }, of: ({ latency_seconds }) => latency_seconds },
  { offer: { ...measured, id: 'tokens', name: 'Tokens' }, of: (_, summary) => summary?.predict_total_tokens },
  { offer: { ...measured, id: 'cost', name: 'Cost', text: formatCost }, of: (_, summary) => summary?.predict_total_cost },
]
