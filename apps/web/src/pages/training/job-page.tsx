import './training.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { TrainedModel, TrainingJob } from '@heddle/core-api'
import { useMemo } from 'react'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { AskAssistant } from '../../components/ask-assistant/ask-assistant.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { JobGroups } from '../trajectories/job-groups.tsx'
import { CurveBoard } from '../curves/curve-board.tsx'
import { EventLog } from './event-log.tsx'
import { ChooseOverlaid, maxJobsDrawn, nameOfJob, type OverlaidJob, useOverlaidJobs } from './overlaid-jobs.tsx'
import { JobCost } from './job-cost.tsx'
import { durationOf } from './job-duration.ts'
import { groupCurves, type StepMetrics, stepsOf, trainedTokens } from './step-metrics.ts'
import { eventsQuery, isUnfinished, jobQuery, maxEvents, trainingClient } from './training-queries.ts'

const route = getRouteApi('/$entity/$project/training/jobs/$job')

/** A training job: what it did so far, step by step, while it runs and after. */
export function JobPage() {
  const { job: id } = route.useParams()
  return (
    <ShowQuery query={useQuery(jobQuery(id))} what="the training job">
      {({ job, model }) => (
        <>
          <JobHead job={job} model={model} />
          <JobCourse job={job} model={model} />
          {job.kind === 'rl' && <JobGroups job={job} />}
        </>
      )}
    </ShowQuery>
  )
}

function JobHead({ job, model }: { job: TrainingJob; model: TrainedModel }) {
  const project = useProject()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => trainingClient.trainingJobs.cancel({ job_id: job.id }),
    onSuccess: () => readAgain(queries, ['training-job', job.id]),
  })
  return (
    <>
      <h1>
        {job.kind === 'rl' ? 'Reinforcement learning' : 'Fine-tuning'} of {model.name}
      </h1>
      <div className="row">
        <span className="tag" role="status">
          {job.status}
        </span>
        <Link to="/$entity/$project/training/models/$model" params={{ ...project, model: model.id }}>
          {model.name}
        </Link>
        <span>base {model.base_model}</span>
        {job.parent_step !== null && <span>policy version: step {job.parent_step}</span>}
        {job.step !== null && <span>made step {job.step}</span>}
        <span>
          Created <Time value={job.created_at} />
        </span>
        {job.training_start !== null && (
          <span>
            Started <Time value={job.training_start} />
            {job.training_end === null && `, training for ${durationOf(job)}`}
          </span>
        )}
        {job.training_end !== null && (
          <span>
            Ended <Time value={job.training_end} />, trained for {durationOf(job)}
          </span>
        )}
        <AskAssistant prompt="watch_training_job" given={{ job_id: job.id }} />
        {isUnfinished(job) && (
          <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the job
          </button>
        )}
      </div>
      {cancel.error && <QueryProblem error={cancel.error} retry={() => cancel.mutate()} />}
      {job.error_message !== null && <p className="problem">{job.error_message}</p>}
      {job.message !== null && <p className="notice">{job.message}</p>}
    </>
  )
}

function JobCourse({ job, model }: { job: TrainingJob; model: TrainedModel }) {
  const search = route.useSearch()
  const { step, over: named, events: choice } = search
  const navigate = route.useNavigate()
  const events = useQuery(eventsQuery(job.id, isUnfinished(job)))
  const steps = useMemo(() => stepsOf(events.data ?? []), [events.data])
  const given = useMemo(() => [...new Set((named ?? '').split(',').filter((id) => id !== '' && id !== job.id))], [named, job.id])
  const over = useMemo(() => given.slice(0, maxJobsDrawn - 1), [given])
  const overlaid = useOverlaidJobs(over)
  const groups = useMemo(() => withOverlaid(job, steps, overlaid), [job, steps, overlaid])
  const set = (changed: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  return (
    <ShowQuery query={events} what="the events of the job">
      {(all) => (
        <>
          {all.length >= maxEvents && (
            <p className="notice">Shown are the first {maxEvents.toLocaleString('en')} events. The API has all of them.</p>
          )}
          {given.length > over.length && <p className="notice">At most {maxJobsDrawn} jobs are drawn; the first of the address are.</p>}
          <TrainedTokens steps={steps} job={job} model={model} />
          {steps.length === 0 ? (
            <p className="empty">
              {isUnfinished(job) ? 'No gradient step yet. The curves appear with the first one.' : 'This job took no gradient step.'}
            </p>
          ) : (
            <>
              <ChooseOverlaid job={job} overlaid={overlaid} onOver={(ids) => set({ over: ids.join(',') || undefined })} />
              <CurveBoard
                groups={groups}
                view={search}
                onView={set}
                selected={step}
                onSelect={(chosen) => set({ step: chosen })}
                hasTimes
              />
              <StepDetail steps={steps} selected={step} onSelect={(chosen) => set({ step: chosen })} />
            </>
          )}
          <EventLog events={all} choice={choice} onChoice={(events) => set({ events })} />
        </>
      )}
    </ShowQuery>
  )
}

function TrainedTokens({ steps, job, model }: { steps: readonly StepMetrics[]; job: TrainingJob; model: TrainedModel }) {
  const tokens = trainedTokens(steps)
  if (tokens === undefined) return null
  return (
    <p>
      Learned from {tokens.toLocaleString('en')} tokens in {steps.length.toLocaleString('en')} gradient steps.
      <JobCost job={job} model={model} tokens={tokens} />
    </p>
  )
}

/** The metrics of the job, each with those of the jobs that are laid over it. */
function withOverlaid(job: TrainingJob, steps: readonly StepMetrics[], overlaid: readonly OverlaidJob[]) {
  const curvesOf = overlaid.map((other) => ({
    label: nameOfJob(other.id),
    curves: new Map(groupCurves(other.steps).flatMap(({ curves }) => curves.map(({ name, points }) => [name, points]))),
  }))
  return groupCurves(steps).map(({ title, curves }) => ({
    title,
    curves: curves.map(({ name, points }) => ({
      name,
      series: [
        { label: `this ${nameOfJob(job.id)}`, points },
        ...curvesOf.map(({ label, curves: of }) => ({ label, points: of.get(name) ?? [] })),
      ],
    })),
  }))
}

interface StepDetailProperties {
  steps: readonly StepMetrics[]
  selected: number | undefined
  onSelect: (step: number) => void
}

/** The numbers of one step, beside those of the step before. */
function StepDetail({ steps, selected, onSelect }: StepDetailProperties) {
  const place = Math.min(steps.length, Math.max(1, selected ?? steps.length)) - 1
  const [step, before] = [steps[place], steps[place - 1]]
  if (!step) return null
  return (
    <section aria-label="Step">
      <h2>Step {step.step}</h2>
      <div className="row">
        <label htmlFor="step">Step</label>
        <input
          id="step"
          type="number"
          min={1}
          max={steps.length}
          value={step.step}
          onChange={({ target }) => onSelect(Number(target.value))}
        />
        <span className="muted">of {steps.length}; a click on a curve chooses one</span>
        <Time value={step.at} />
      </div>
      {selected !== undefined && selected > steps.length && (
        <p className="notice">The job has no step {selected}; its last one is shown.</p>
      )}
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th>Metric</th>
              <th className="number">Value</th>
              <th className="number">Step before</th>
            </tr>
          </thead>
          <tbody>
            {[...step.values].map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="number">{value}</td>
                <td className="number">{before?.values.get(name) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
