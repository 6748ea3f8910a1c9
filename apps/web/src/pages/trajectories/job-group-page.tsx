import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { PageHead } from '../../ui/page.tsx'
import { jobQuery } from '../../features/training/training-queries.ts'
import { nameOfGroup } from '../../features/trajectories/group-statistics.ts'
import { GroupView } from './group-view.tsx'
import { jobGroupsQuery, jobTrajectoriesQuery } from '../../features/trajectories/trajectory-queries.ts'

const route = getRouteApi('/$entity/$project/training/jobs/$job/groups/$group')

/** A group from which a job learned: attempts at one task next to each other. */
export function JobGroupPage() {
  const project = useProject()
  const { job, group: text } = route.useParams()
  const { trajectory, tokens } = route.useSearch()
  const navigate = route.useNavigate()
  const toGroup = useNavigate()
  const place = Number(text)
  const query = useInfiniteQuery(jobTrajectoriesQuery(job, place, tokens === 'on'))
  const groups = useInfiniteQuery(jobGroupsQuery(job))
  const all = groups.data?.pages.flatMap(({ data }) => data)
  const group = all?.find((one) => one.group === place)
  const model = useQuery(jobQuery(job)).data?.model
  const go = (to: number) =>
    void toGroup({
      to: '/$entity/$project/training/jobs/$job/groups/$group',
      params: { ...project, job, group: String(to) },
      search: { tokens },
    })
  return (
    <>
      <PageHead
        trail={[
          <Link key="training/jobs" to="/$entity/$project/training/jobs" params={project}>
            Training jobs
          </Link>,
          <Link key="job" to="/$entity/$project/training/jobs/$job" params={{ ...project, job }} search={{ tab: 'data' }}>
            {model?.name ?? 'Job'}
          </Link>,
        ]}
        title={group ? nameOfGroup(group) : `Group ${place + 1}`}
        state={
          all &&
          group && (
            <span className="num text-xs text-fg-3">
              {place + 1} of {all.length.toLocaleString('en')}
            </span>
          )
        }
        actions={
          <>
            <Checkbox
              label="Log-probabilities"
              checked={tokens === 'on'}
              onChange={(isOn) => void navigate({ search: (before) => ({ ...before, tokens: isOn ? 'on' : undefined }), replace: true })}
            />
            <IconButton
              label="Previous group"
              icon={ChevronLeft}
              variant="secondary"
              disabled={place === 0}
              onClick={() => go(place - 1)}
            />
            <IconButton
              label="Next group"
              icon={ChevronRight}
              variant="secondary"
              disabled={!all?.some((one) => one.group === place + 1)}
              onClick={() => go(place + 1)}
            />
          </>
        }
      />
      {group && group.num_exceptions > 0 && (
        <div className="mb-4">
          <Fold
            icon={TriangleAlert}
            title={`${countText(group.num_exceptions, 'attempt')} failed${
              group.num_exceptions > group.exceptions.length ? `, the first ${group.exceptions.length} here` : ''
            }`}
          >
            {group.exceptions.map(({ type, message }, at) => (
              // Failures keep their order, so the index is a stable key.
              <LongText key={at} label={`Failure ${at + 1}`} text={`${type}: ${message}`} />
            ))}
          </Fold>
        </div>
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
      <MoreButton query={query}>Load more trajectories</MoreButton>
    </>
  )
}
