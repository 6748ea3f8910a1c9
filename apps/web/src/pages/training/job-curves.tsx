import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { ChartNoAxesCombined } from 'lucide-react'
import { useMemo } from 'react'
import { Failure } from '../../ui/states/failure.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CurveBoard } from '../../features/curves/curve-board.tsx'
import { CompareJobs, type ComparedJob, maxJobsDrawn, useComparedJobs } from './compared-jobs.tsx'
import { JobCheckpoints } from './job-checkpoints.tsx'
import { nameOfJob } from './job-name.ts'
import type { Metrics } from '../../features/training/metrics-by-model.ts'
import { RewardByCheckpoint } from './reward-by-checkpoint.tsx'
import { rewardsOverCheckpoints } from './rewards-over-checkpoints.ts'
import { curvesOf, type StepMetrics } from './step-metrics.ts'
import { isUnfinished } from '../../features/training/is-unfinished.ts'
import type { JobSearch } from '../../features/training/training-search.ts'

interface Properties {
  job: TrainingJob
  model: TrainedModel
  steps: readonly StepMetrics[]
  /** Metrics of the checkpoints of the model, by step. */
  metrics: ReadonlyMap<number, Metrics>
  /** Another panel is next to the curves. */
  hasPane: boolean
  search: JobSearch
  onChange: (changed: Partial<JobSearch>) => void
}

/** The metrics of a job over its gradient steps, with those of other jobs, and its position among the checkpoints of the model. */
export function JobCurves({ job, model, steps, metrics, hasPane, search, onChange }: Properties) {
  const { step, over: named } = search
  const given = useMemo(() => [...new Set((named ?? '').split(',').filter((id) => id !== '' && id !== job.id))], [named, job.id])
  const over = useMemo(() => given.slice(0, maxJobsDrawn - 1), [given])
  const compared = useComparedJobs(over)
  const curves = useMemo(() => withCompared(steps, compared), [steps, compared])
  const hasReward = steps.some(({ values }) => values.has('reward'))
  const points = useMemo(() => rewardsOverCheckpoints(metrics), [metrics])
  const hasLead = !hasReward && points.length > 1
  if (steps.length === 0 && !hasLead)
    return (
      <EmptyState icon={ChartNoAxesCombined} title={isUnfinished(job) ? 'No gradient step yet' : 'No gradient steps'}>
        {isUnfinished(job) ? 'Curves appear with the first step.' : 'This job took none.'}
      </EmptyState>
    )
  return (
    <>
      {given.length > over.length && (
        <Notice className="mx-4 mt-3" title={`At most ${maxJobsDrawn} jobs are drawn: the first of the address`} />
      )}
      {compared.map(({ id, error }) => error && <Failure key={id} error={error} before={`The ${nameOfJob(id)} was not read.`} />)}
      <CurveBoard
        curves={curves}
        view={search}
        onView={onChange}
        selected={step}
        onSelect={(chosen) => onChange({ step: chosen })}
        hasTimes
        isNarrow={hasPane}
        controls={
          <CompareJobs job={job} compared={compared} isNarrow={hasPane} onOver={(ids) => onChange({ over: ids.join(',') || undefined })} />
        }
        {...(hasLead && { lead: <RewardByCheckpoint points={points} made={job.step} /> })}
      />
      <JobCheckpoints job={job} model={model} metrics={metrics} />
    </>
  )
}

/** The metrics of the job, each with those of the overlaid jobs. */
function withCompared(steps: readonly StepMetrics[], compared: readonly ComparedJob[]) {
  const others = compared.map(({ id, steps: of }) => ({
    label: nameOfJob(id),
    points: new Map(curvesOf(of).map(({ name, points }) => [name, points])),
  }))
  return curvesOf(steps).map(({ name, points }) => ({
    name,
    series: [{ label: 'This job', points }, ...others.map(({ label, points: of }) => ({ label, points: of.get(name) ?? [] }))],
  }))
}
