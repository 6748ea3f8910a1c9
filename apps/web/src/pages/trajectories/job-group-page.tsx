import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { LongText } from '../../components/long-text.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { jobQuery } from '../training/training-queries.ts'
import { nameOfGroup } from './group-statistics.ts'
import { GroupView } from './group-view.tsx'
import { jobGroupsQuery, jobTrajectoriesQuery } from './trajectory-queries.ts'

const route = getRouteApi('/$entity/$project/training/jobs/$job/groups/$group')

/** A group from which a job learned: attempts at one task beside each other. */
export function JobGroupPage() {
  const project = useProject()
  const { job, group: text } = route.useParams()
  const { trajectory, tokens } = route.useSearch()
  const navigate = route.useNavigate()
  const place = Number(text)
  const query = useInfiniteQuery(jobTrajectoriesQuery(job, place, tokens === 'on'))
  const groups = useInfiniteQuery(jobGroupsQuery(job))
  const group = groups.data?.pages.flatMap(({ data }) => data).find((one) => one.group === place)
  const model = useQuery(jobQuery(job)).data?.model
  return (
    <>
      <h1>{group ? nameOfGroup(group) : `Group ${place + 1}`}</h1>
      <p className="row">
        <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job }}>
          Back to the job
        </Link>
        {model && <span>{model.name}</span>}
        {place > 0 && (
          <Link to="." params={{ ...project, job, group: String(place - 1) }} search={{ tokens }}>
            Previous group
          </Link>
        )}
        <Link to="." params={{ ...project, job, group: String(place + 1) }} search={{ tokens }} disabled={group === undefined}>
          Next group
        </Link>
        <label>
          <input
            type="checkbox"
            checked={tokens === 'on'}
            onChange={({ target }) =>
              void navigate({ search: (before) => ({ ...before, tokens: target.checked ? 'on' : undefined }), replace: true })
            }
          />{' '}
          Mark tokens by their probability
        </label>
      </p>
      {tokens === 'on' && <Legend />}
      {group && group.num_exceptions > 0 && (
        <details>
          <summary>
            {group.num_exceptions === 1 ? '1 attempt' : `${group.num_exceptions} attempts`} failed
            {group.num_exceptions > group.exceptions.length && `; the first ${group.exceptions.length} are shown`}
          </summary>
          {group.exceptions.map(({ type, message }, at) => (
            // Failures keep their places.
            <LongText key={at} label={`Failure ${at + 1}`} text={`${type}: ${message}`} />
          ))}
        </details>
      )}
      <ShowQuery query={{ ...query, data: query.data?.pages.flatMap(({ data }) => data) }} what="the trajectories of the group">
        {(trajectories) => (
          <GroupView
            trajectories={trajectories}
            alone={trajectory === undefined ? undefined : trajectory - 1}
            onAlone={(alone) =>
              void navigate({
                search: (before) => ({ ...before, trajectory: alone === undefined ? undefined : alone + 1 }),
                replace: true,
              })
            }
          />
        )}
      </ShowQuery>
      <MoreButton query={query}>Show more trajectories</MoreButton>
    </>
  )
}

const legend = [
  ['certain', '90 % and more'],
  ['likely', '50 to 90 %'],
  ['open', '10 to 50 %'],
  ['unlikely', '1 to 10 %'],
  ['rare', 'below 1 %'],
] as const

function Legend() {
  return (
    <p className="row">
      Probability of a token:
      {legend.map(([name, text]) => (
        <span key={name} className={`token ${name}`}>
          {text}
        </span>
      ))}
    </p>
  )
}
