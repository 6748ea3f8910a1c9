import { getRouteApi, Link, Outlet, useMatchRoute } from '@tanstack/react-router'
import { Calendar } from 'lucide-react'
import { useProject } from '../../lib/use-project.ts'
import { rangeTitles, timeRanges } from '../../lib/time/time-range.ts'
import { PageHead } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { ThreadsList } from './threads-list.tsx'

const route = getRouteApi('/$entity/$project/threads')
const ranges = [{ value: '', label: 'All time' }, ...timeRanges.map((range) => ({ value: range, label: `Last ${rangeTitles[range]}` }))]

/** The threads of a project, with one of them next to the list. */
export function ThreadsPage() {
  const { entity, project } = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const match = useMatchRoute()({ to: '/$entity/$project/threads/$thread' })
  const thread = match === false ? undefined : match.thread
  return (
    <div data-flush className="flex h-full min-h-0 max-md:flex-col">
      <PageHead
        {...(thread !== undefined && {
          trail: [
            <Link key="threads" to="/$entity/$project/threads" params={{ entity, project }} search={search}>
              Threads
            </Link>,
          ],
        })}
        title={thread ?? 'Threads'}
        actions={
          <Select
            label="Time range"
            hideLabel
            icon={Calendar}
            choices={ranges}
            value={search.range ?? ''}
            onChange={(value) => void navigate({ search: (before) => ({ ...before, range: timeRanges.find((range) => range === value) }) })}
          />
        }
      />
      <ThreadsList picked={thread} />
      <Outlet />
    </div>
  )
}
