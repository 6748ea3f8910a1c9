import type { ListedProject } from '@heddle/core-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useMemo, useState } from 'react'
import { DemoHint } from '../../components/demo-hint.tsx'
import { Empty } from '../../components/empty.tsx'
import { costText } from '../../components/format-cost.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { readAhead } from '../../components/more-button.tsx'
import { Pending } from '../../components/pending.tsx'
import { QueryProblem } from '../../components/query-problem.tsx'
import { type GridColumn, RowsGrid } from '../../components/rows-grid.tsx'
import { Time } from '../../components/time.tsx'
import { startedSince } from '../calls/started-since.ts'
import { ingestHealth } from './ingest-health.ts'
import { OpenProject } from './open-project.tsx'
import { projectsQuery } from './projects-queries.ts'

const route = getRouteApi('/')
const weekMs = 7 * 86_400_000

/** The projects that the key may read, with what happened in them lately. */
export function ProjectsPage() {
  const { contains } = route.useSearch()
  const projects = useInfiniteQuery(projectsQuery(contains))
  const rows = useMemo(() => projects.data?.pages.flatMap((page) => page.projects), [projects.data])
  // That there was none some minutes ago says nothing of now.
  const isEmpty = rows?.length === 0
  return (
    <main id="content" tabIndex={-1}>
      <h1>Projects</h1>
      <FindProject key={contains} contains={contains} />
      {projects.error && <QueryProblem error={projects.error} retry={() => void projects.refetch()} />}
      {(projects.isPending || (isEmpty && !projects.isFetchedAfterMount)) && <Pending what="projects" />}
      {isEmpty && projects.isFetchedAfterMount && <NoProjects contains={contains} />}
      {rows && rows.length > 0 && (
        <>
          <RowsGrid label="Projects" rows={rows} columns={columns} keyOf={({ id }) => id} onEnd={() => readAhead(projects)} />
          <LoadMore count={rows.length} query={projects} />
        </>
      )}
      <OpenProject />
    </main>
  )
}

const columns: GridColumn<ListedProject>[] = [
  {
    title: 'Project',
    rem: 14,
    grow: 3,
    hint: ({ id }) => id,
    cell: ({ id, entity, name }) => (
      <Link to="/$entity/$project" params={{ entity, project: name }}>
        {id}
      </Link>
    ),
  },
  {
    title: 'Newest call',
    rem: 13,
    grow: 1,
    cell: ({ last_call_at }) => (last_call_at === null ? <span className="muted">none yet</span> : <Time value={last_call_at} />),
  },
  { title: 'Ingest', rem: 16, grow: 1, cell: ({ last_call_at }) => ingestHealth(last_call_at) },
  {
    title: 'Calls, 7 days',
    rem: 7,
    grow: 1,
    isNumber: true,
    cell: ({ entity, name, calls_7d }) =>
      calls_7d === 0 ? (
        '0'
      ) : (
        <Link to="/$entity/$project/calls" params={{ entity, project: name }} search={{ level: 'all', where: [startedSince(weekMs)] }}>
          {calls_7d.toLocaleString('en')}
        </Link>
      ),
  },
  {
    title: 'Failed',
    rem: 5,
    grow: 1,
    isNumber: true,
    cell: ({ entity, name, errors_7d }) =>
      errors_7d === 0 ? (
        '0'
      ) : (
        <Link
          to="/$entity/$project/calls"
          params={{ entity, project: name }}
          search={{ level: 'all', status: 'error', where: [startedSince(weekMs)] }}
        >
          {errors_7d.toLocaleString('en')}
        </Link>
      ),
  },
  {
    title: 'Cost, 7 days',
    rem: 12,
    grow: 2,
    isNumber: true,
    hint: ({ cost_7d, unpriced_7d }) => costText(cost_7d, unpriced_7d),
    cell: ({ entity, name, cost_7d, unpriced_7d }) =>
      cost_7d === null && unpriced_7d === 0 ? (
        <span className="muted">no data</span>
      ) : (
        <Link to="/$entity/$project/costs" params={{ entity, project: name }} search={{ range: '7d' }}>
          {costText(cost_7d, unpriced_7d)}
        </Link>
      ),
  },
]

function FindProject({ contains }: { contains: string | undefined }) {
  const navigate = route.useNavigate()
  const [text, setText] = useState(contains ?? '')

  function find(event: FormEvent) {
    event.preventDefault()
    void navigate({ search: { contains: text.trim() === '' ? undefined : text.trim() } })
  }

  return (
    <form className="row" role="search" onSubmit={find}>
      <label htmlFor="contains">Name contains</label>
      <input id="contains" type="search" maxLength={257} value={text} onChange={({ target }) => setText(target.value)} />
      <button type="submit">Find</button>
    </form>
  )
}

function NoProjects({ contains }: { contains: string | undefined }) {
  if (contains !== undefined)
    return <Empty title="No project matches">{`No project that your key may read has "${contains}" in its name.`}</Empty>
  return (
    <Empty title="No projects yet">
      Name one below, and its page says how to send it a trace. To look around first, <DemoHint />.
    </Empty>
  )
}
