import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { formatDuration } from '../../../lib/time/duration.ts'
import type { AxisOffer, AxisRow, AxisValue } from '../../../features/parallel-coordinates/axis.ts'
import { differingAxes } from '../../../features/parallel-coordinates/differing-axes.ts'
import { numberText } from '../../../lib/texts/number-text.ts'
import { jobName } from '../job-name.ts'
import type { Metrics } from '../../../features/training/metrics-by-model.ts'

export interface JobAxes {
  rows: AxisRow[]
  offers: AxisOffer[]
  /** Ids of the axes that are shown initially: settings that differ, duration, and results. */
  usual: string[]
}

/** Settings, and metrics, that are offered. */
const maxOffered = 100
const usualSettings = 4
/** The first of these are shown initially if jobs have them; the reward is last, since its values color the lines. */
const usualMetrics = ['num_trajectories', 'loss', 'policy_loss', 'kl_policy_ref', 'reward']

const text = (value: number) => numberText(value, false)
const asDuration = (seconds: number) => formatDuration(seconds * 1_000)

type OfJob = Omit<AxisOffer, 'group'> & { of: (job: TrainingJob, model: TrainedModel | undefined) => AxisValue | null | undefined }

const ofJob: readonly OfJob[] = [
  { id: 'base_model', name: 'Base model', text, of: (_, model) => model?.base_model },
  { id: 'model', name: 'Model', text, of: (_, model) => model?.name },
  { id: 'kind', name: 'Kind', text, of: ({ kind }) => kind },
  { id: 'status', name: 'Status', text, of: ({ status }) => status },
  { id: 'parent_step', name: 'Began at step', text, of: ({ parent_step }) => parent_step },
  { id: 'duration', name: 'Trained for', text: asDuration, of: secondsOf },
]

/** Undefined until it has ended. */
function secondsOf({ training_start, training_end }: TrainingJob): number | undefined {
  if (training_start === null || training_end === null) return undefined
  return Math.max(0, Date.parse(training_end) - Date.parse(training_start)) / 1_000
}

/** Training jobs as lines over their settings and the metrics of the checkpoints that they made. */
export function toJobAxes(jobs: readonly TrainingJob[], models: readonly TrainedModel[], metrics: ReadonlyMap<string, Metrics>): JobAxes {
  const modelOf = new Map(models.map((model) => [model.id, model]))
  const rows = jobs.map((job): AxisRow => {
    const values = new Map<string, AxisValue>()
    for (const { id, of } of ofJob) {
      const value = of(job, modelOf.get(job.model_id))
      if (value !== null && value !== undefined) values.set(id, value)
    }
    for (const [name, value] of Object.entries(job.config)) values.set(`config.${name}`, typeof value === 'boolean' ? String(value) : value)
    for (const [name, value] of Object.entries(metrics.get(job.id) ?? {})) if (Number.isFinite(value)) values.set(`metric.${name}`, value)
    return { id: job.id, name: jobName(job), values }
  })
  const settings = offersOf(rows, 'config.', 'Settings')
  const measured = offersOf(rows, 'metric.', 'Metrics of the checkpoint')
  const others = ofJob
    .filter(({ id }) => rows.some(({ values }) => values.has(id)))
    .map(({ id, name, text: own }) => ({ id, name, text: own, group: 'Job' }))
  return { rows, offers: [...settings, ...others, ...measured], usual: usualAxes(rows, settings, others, measured) }
}

/** The axes of rows whose ids have a prefix, in the order in which they occur. */
function offersOf(rows: readonly AxisRow[], prefix: string, group: string): AxisOffer[] {
  const ids = new Set(rows.flatMap(({ values }) => [...values.keys()].filter((id) => id.startsWith(prefix))))
  return [...ids].slice(0, maxOffered).map((id) => ({ id, name: id.slice(prefix.length), group, text }))
}

function usualAxes(
  rows: readonly AxisRow[],
  settings: readonly AxisOffer[],
  others: readonly AxisOffer[],
  measured: readonly AxisOffer[],
): string[] {
  const differing = [...differingAxes(rows, settings), ...differingAxes(rows, others).filter(({ id }) => id === 'base_model')]
  const first = differing.length > 0 ? differing.slice(0, usualSettings) : others.filter(({ id }) => id === 'model')
  const took = others.filter(({ id }) => id === 'duration')
  const metrics = usualMetrics.flatMap((name) => measured.filter(({ id }) => id === `metric.${name}`))
  return [...first, ...took, ...metrics].map(({ id }) => id)
}
