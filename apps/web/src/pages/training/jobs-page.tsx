import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TrainedModel } from '@heddle/core-api'
import { type ProjectName, useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { durationOf } from './job-duration.ts'
import { jobsQuery, maxJobs, maxModels, modelsQuery } from './training-queries.ts'

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
              <code>heddle models register</code>. Its jobs stand here.
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
              {hasMore && <p className="notice">These are the newest {maxJobs} jobs. `heddle jobs list` lists those of one model.</p>}
              <div className="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>Job</th>
                      <th>Model</th>
                      <th>Status</th>
                      <th className="number">Checkpoint</th>
                      <th>Created</th>
                      <th>Ended</th>
                      <th className="number">Trained for</th>
                    </tr>
                  </thead>
                  <tbody>
                    {jobs.map((job) => (
                      <tr key={job.id}>
                        <td>
                          <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job: job.id }}>
                            {job.kind === 'rl' ? 'Reinforcement learning' : 'Fine-tuning'} {job.id.slice(-8)}
                          </Link>
                        </td>
                        <td>{models.find(({ id }) => id === job.model_id)?.name ?? job.model_id}</td>
                        <td title={job.error_message ?? undefined}>{job.status}</td>
                        <td className="number">{job.step === null ? '–' : `step ${job.step}`}</td>
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
            </>
          )
        }
      </ShowQuery>
    </>
  )
}
