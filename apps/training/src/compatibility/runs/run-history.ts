import type { LoggedJob, LoggedStep } from '../../resources/training-jobs/metric-runs-store.ts'

/** Rows of a document at most. */
export const maxRows = 10_000

/** Requested rows, by their number in the run, which counts from 0. */
export interface RowRange {
  first: number
  /** Not included. */
  end: number
  /** When there are more, as many are chosen, evenly. */
  samples: number
}

/** Gradient steps of one job. */
export interface ChosenSteps {
  job: LoggedJob
  /** Number in the run of the job's first step. */
  first: number
  numbers: number[]
}

export const countRows = (jobs: readonly LoggedJob[]) => jobs.reduce((sum, { steps }) => sum + steps, 0)

/** Which steps of which jobs are the rows of a range: the jobs of a run follow each other. */
export function chooseSteps(jobs: readonly LoggedJob[], range: RowRange): ChosenSteps[] {
  const first = Math.max(0, range.first)
  const available = Math.max(0, Math.min(range.end, countRows(jobs)) - first)
  const count = Math.min(available, Math.max(0, range.samples), maxRows)
  // The first and the last are always among them.
  const places = Array.from({ length: count }, (_, at) => first + (count < 2 ? 0 : Math.round((at * (available - 1)) / (count - 1))))
  const chosen: ChosenSteps[] = []
  let start = 0
  let at = 0
  for (const job of jobs) {
    const numbers = []
    for (; at < count && places[at]! < start + job.steps; at++) numbers.push(places[at]! - start + 1)
    if (numbers.length > 0) chosen.push({ job, first: start, numbers })
    start += job.steps
  }
  return chosen
}

/** A row as the tracking service has it: metrics under `sft/`, over the gradient step of their job. */
export function toRunRow({ number, metrics, at }: LoggedStep, { job, first }: Pick<ChosenSteps, 'job' | 'first'>): Record<string, unknown> {
  return {
    _step: first + number - 1,
    _timestamp: at / 1e6,
    ...(job.targetStep !== null && { training_step: job.targetStep }),
    ...Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`sft/${name}`, value])),
    'sft/gradient_step': number,
  }
}
