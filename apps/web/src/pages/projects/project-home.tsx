import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { ChooseRange } from '../../components/choose-range.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { runsQuery } from '../evaluations/evaluation-queries.ts'
import { FirstTrace } from './first-trace.tsx'
import { HomeCharts } from './home-charts.tsx'
import { hasTracesQuery, latestJobsQuery } from './home-queries.ts'
import { ProjectSummary } from './project-summary.tsx'

const route = getRouteApi('/$entity/$project/')
const latest = 5

/** What happened in a project lately; where nothing did yet, how to send a first trace. */
export function ProjectHome() {
  const params = useProject()
  const { range = '7d' } = route.useSearch()
  const navigate = route.useNavigate()
  const hasTraces = useQuery(hasTracesQuery(params.id))
  const [waitedFor, setWaitedFor] = useState<string>()
  if (hasTraces.data === false && waitedFor !== params.id) setWaitedFor(params.id)
  return (
    <>
      <h1>{params.id}</h1>
      <ShowQuery query={hasTraces} what="whether there are traces">
        {(isThere) =>
          isThere ? (
            <>
              {waitedFor === params.id && <FirstTraceArrived />}
              <div className="row">
                <ChooseRange range={range} onChange={(next) => void navigate({ search: { range: next } })} />
              </div>
              <ProjectSummary range={range} />
              <HomeCharts range={range} />
              <LatestRuns />
              <LatestJobs />
            </>
          ) : (
            <FirstTrace />
          )
        }
      </ShowQuery>
    </>
  )
}

/** Where this page has waited for a trace. */
function FirstTraceArrived() {
  const params = useProject()
  return (
    <p role="status" className="notice">
      The first trace has arrived.{' '}
      <Link to="/$entity/$project/calls" params={params}>
        Look at it
      </Link>
    </p>
  )
}

function LatestRuns() {
  const params = useProject()
  return (
    <section aria-label="Latest evaluation runs">
      <h2>Latest evaluation runs</h2>
      <ShowQuery query={useQuery(runsQuery(params))} what="evaluation runs">
        {({ runs }) =>
          runs.length === 0 ? (
            <p className="muted">None yet.</p>
          ) : (
            <ul>
              {runs.slice(0, latest).map(({ id, name, model, status, started_at }) => (
                <li key={id}>
                  <Link to="/$entity/$project/evaluations/runs/$run" params={{ ...params, run: id }}>
                    {name}
                  </Link>{' '}
                  <span className="muted">
                    {model !== null && `of ${model}, `}
                    {status}, <Time value={started_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </ShowQuery>
      <Link to="/$entity/$project/evaluations" params={params}>
        All evaluation runs
      </Link>
    </section>
  )
}

function LatestJobs() {
  const params = useProject()
  return (
    <section aria-label="Latest training jobs">
      <h2>Latest training jobs</h2>
      <ShowQuery query={useQuery(latestJobsQuery(params))} what="training jobs">
        {(jobs) =>
          jobs.length === 0 ? (
            <p className="muted">None yet.</p>
          ) : (
            <ul>
              {jobs.map(({ id, kind, status, created_at }) => (
                <li key={id}>
                  <Link to="/$entity/$project/training/jobs/$job" params={{ ...params, job: id }}>
                    {kind === 'rl' ? 'Reinforcement learning' : 'Fine-tuning'} {id.slice(-8)}
                  </Link>{' '}
                  <span className="muted">
                    {status}, <Time value={created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </ShowQuery>
      <Link to="/$entity/$project/training/jobs" params={params}>
        All training jobs
      </Link>
    </section>
  )
}
