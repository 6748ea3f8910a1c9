import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { TrainedModel, TrainingJob } from '@heddle/core-api'
import { type ProjectName, useProject } from '../../app/use-project.ts'
import { DemoHint } from '../../components/demo-hint.tsx'
import { Empty } from '../../components/empty.tsx'
import { LongText } from '../../components/long-text.tsx'
import { ChooseView } from '../../components/parallel-coordinates/choose-view.tsx'
import { Pending } from '../../components/pending.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { numberText } from '../evaluations/charts/number-text.ts'
import { durationOf } from './job-duration.ts'
import { jobName } from './job-name.ts'
import { useRewardsOfJobs } from './rewards-of-jobs.ts'
import { jobsQuery, maxJobs, maxModels, modelsQuery } from './training-queries.ts'

const route = getRouteApi('/$entity/$project/training/jobs')
const JobsOverAxes = lazy(() => import('./axes/jobs-over-axes.tsx').then(({ JobsOverAxes: view }) => ({ default: view })))

/** The models of a project, and what they learn. */
export function JobsPage() {
  const project = useProject()
  return (
    <>
      <h1>Training</h1>
      <p>
        <Link to="/$entity/$project/training/start" params={project}>
          Train on recorded attempts
        </Link>
      </p>
      <ShowQuery query={useQuery(modelsQuery(project))} what="the models of the project">
        {({ models, hasMore }) =>
          models.length === 0 ? (
            <Empty title="No models yet">
              A model is registered with its first job: train one on recorded attempts, or register one with{' '}
              <code>heddle models register</code>. Its jobs stand here. To look at some first, <DemoHint />.
            </Empty>
          ) : (
            <>
              <h2>Models</h2>
              <ul>
                {models.map((model) => (
                  <li key={model.id}>
                    <Link to="/$entity/$project/training/models/$model" params={{ ...project, model: model.id }}>
                      {model.name}
                    </Link>{' '}
                    <span className="muted">from {model.base_model}</span>
                  </li>
                ))}
              </ul>
              {hasMore && <p className="notice">These are the first {maxModels} models. `heddle models list` lists all.</p>}
              <Jobs project={project} models={models} />
            </>
          )
        }
      </ShowQuery>
    </>
  )
}

function Jobs({ project, models }: { project: ProjectName; models: readonly TrainedModel[] }) {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <h2>Jobs</h2>
      <ShowQuery query={useQuery(jobsQuery(project))} what="training jobs">
        {({ jobs, hasMore }) =>
          jobs.length === 0 ? (
            <Empty title="No training jobs yet">
              A job starts when an agent or a program sends trajectories or conversations for one of these models, or from recorded
              attempts.
            </Empty>
          ) : (
            <>
              <ChooseView view={view} onChange={(next) => void navigate({ search: (before) => ({ ...before, view: next }) })} />
              {view === 'axes' ? (
                <Suspense fallback={<Pending what="the axes" />}>
                  <JobsOverAxes project={project} models={models} />
                </Suspense>
              ) : (
                <>
                  {hasMore && <p className="notice">These are the newest {maxJobs} jobs. `heddle jobs list` lists those of one model.</p>}
                  <JobsTable project={project} models={models} jobs={jobs} />
                </>
              )}
            </>
          )
        }
      </ShowQuery>
    </>
  )
}

function JobsTable({ project, models, jobs }: { project: ProjectName; models: readonly TrainedModel[]; jobs: readonly TrainingJob[] }) {
  const rewards = useRewardsOfJobs(jobs)
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Jobs">
      <table>
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Model</th>
            <th scope="col">Status</th>
            <th scope="col" className="number">
              Checkpoint
            </th>
            <th scope="col" className="number">
              Reward
            </th>
            <th scope="col">Created</th>
            <th scope="col">Ended</th>
            <th scope="col" className="number">
              Trained for
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <td>
                <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job: job.id }}>
                  {jobName(job)}
                </Link>
              </td>
              <td>
                <Link to="/$entity/$project/training/models/$model" params={{ ...project, model: job.model_id }}>
                  {models.find(({ id }) => id === job.model_id)?.name ?? job.model_id}
                </Link>
              </td>
              <td>
                {job.status}
                {job.error_message !== null && <LongText text={job.error_message} label={`Why job ${job.id.slice(-8)} failed`} />}
              </td>
              <td className="number">{job.step === null ? '–' : `step ${job.step}`}</td>
              <td className="number">{rewardText(rewards.get(job.id))}</td>
              <td>
                <Time value={job.created_at} />
              </td>
              <td>{job.training_end === null ? '–' : <Time value={job.training_end} />}</td>
              <td className="number">{durationOf(job)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const rewardText = (reward: number | undefined) => (reward === undefined ? '–' : numberText(reward, false))
