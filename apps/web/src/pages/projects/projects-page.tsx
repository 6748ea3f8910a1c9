import type { ListedProject } from '@heddle/core-api/types'
import type { CostSource } from '@heddle/trace-model'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FolderPlus, Plus, Search, SearchX } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { CostMark, withSource } from '../../features/costs/cost-source.tsx'
import { DemoHint } from '../../features/demo/demo-hint.tsx'
import { costText, formatCost } from '../../lib/texts/format-cost.ts'
import { MoreButton, readAhead } from '../../ui/table/more-button.tsx'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Input } from '../../ui/field.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { startedSince } from '../../features/calls/started-since.ts'
import { ingestHealth } from './ingest-health.ts'
import { NewProject } from './new-project.tsx'
import { projectsQuery } from './projects-queries.ts'

const route = getRouteApi('/')
const weekMs = 7 * 86_400_000
/** A pause in typing after which projects are searched. */
const typingMs = 250

const none: readonly ListedProject[] = []

/** The projects that the key may read, with what happened in them lately. */
export function ProjectsPage() {
  const { contains } = route.useSearch()
  const navigate = route.useNavigate()
  const projects = useInfiniteQuery(projectsQuery(contains))
  const rows = useMemo(() => projects.data?.pages.flatMap((page) => page.projects) ?? none, [projects.data])
  const [isNaming, setIsNaming] = useState(false)
  // An empty cached result may be outdated.
  const isLoading = !projects.isError && rows.length === 0 && !projects.isFetchedAfterMount
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <PageHead
        title="Projects"
        actions={
          <Button variant="primary" icon={Plus} onClick={() => setIsNaming(true)}>
            New project
          </Button>
        }
      />
      <FindProject contains={contains} />
      {projects.error && <QueryProblem error={projects.error} retry={() => void projects.refetch()} />}
      <DataTable
        label="Projects"
        name="projects"
        rows={rows}
        columns={columns}
        rowId={idOf}
        rowName={idOf}
        onOpen={({ entity, name }) => void navigate({ to: '/$entity/$project', params: { entity, project: name } })}
        onEnd={() => readAhead(projects)}
        isLoading={isLoading}
        empty={!isLoading && !projects.isError && <NoProjects contains={contains} />}
      />
      {rows.length > 0 && (
        <PageFooter>
          <span role="status">{`${countText(rows.length, 'project')}${projects.hasNextPage ? ' loaded' : ''}`}</span>
          <MoreButton query={projects}>Load more</MoreButton>
        </PageFooter>
      )}
      <NewProject open={isNaming} onClose={() => setIsNaming(false)} />
    </div>
  )
}

const idOf = ({ id }: ListedProject) => id

const columns: Column<ListedProject>[] = [
  {
    id: 'project',
    title: 'Project',
    width: 'minmax(200px, 3fr)',
    hint: idOf,
    cell: ({ id, entity, name }) => (
      <Link to="/$entity/$project" params={{ entity, project: name }} className="font-medium">
        {id}
      </Link>
    ),
  },
  {
    id: 'newest',
    title: 'Newest trace',
    width: '112px',
    cell: ({ last_call_at }) =>
      last_call_at === null ? (
        <span className="text-fg-3">–</span>
      ) : (
        <span className="text-fg-2">
          <TimeInColumn value={last_call_at} />
        </span>
      ),
  },
  {
    id: 'ingest',
    title: 'Activity',
    width: 'minmax(160px, 1fr)',
    cell: ({ last_call_at }) => <span className="text-fg-2">{ingestHealth(last_call_at)}</span>,
  },
  {
    id: 'spans',
    title: 'Spans, 7 days',
    width: '112px',
    align: 'right',
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
    id: 'failed',
    title: 'Failed',
    width: '80px',
    align: 'right',
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
    id: 'cost',
    title: 'Cost, 7 days',
    width: 'minmax(160px, 1fr)',
    align: 'right',
    hint: ({ cost_7d, unpriced_7d, ...project }) => withSource(costText(cost_7d, unpriced_7d), sourceOf(project)),
    cell: ({ entity, name, cost_7d, unpriced_7d, ...project }) =>
      cost_7d === null && unpriced_7d === 0 ? (
        <span className="text-fg-3">–</span>
      ) : (
        <>
          <Link to="/$entity/$project/costs" params={{ entity, project: name }} search={{ range: '7d' }}>
            {cost_7d === null ? costText(cost_7d, unpriced_7d) : formatCost(cost_7d)}
          </Link>
          {cost_7d !== null && unpriced_7d > 0 && (
            <span className="text-xs text-fg-3">{` · ${unpriced_7d.toLocaleString('en')} unpriced`}</span>
          )}
          <CostMark source={sourceOf(project)} />
        </>
      ),
  },
]

const sourceOf = ({ priced_as, reported_7d }: Pick<ListedProject, 'priced_as' | 'reported_7d'>): CostSource => ({
  pricedAs: priced_as,
  reported: reported_7d,
})

/** Searches while a name is typed. */
function FindProject({ contains = '' }: { contains: string | undefined }) {
  const navigate = route.useNavigate()
  const [text, setText] = useState(contains)
  const field = useRef<HTMLInputElement>(null)
  const searched = useRef(contains)
  const wanted = text.trim()
  function find() {
    if (wanted === searched.current) return
    searched.current = wanted
    void navigate({ search: { contains: wanted === '' ? undefined : wanted }, replace: true })
  }
  const latest = useRef(find)
  latest.current = find
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), typingMs)
    return () => clearTimeout(timer)
  }, [wanted])
  // A link or the back button has changed the address, not the input.
  useEffect(() => {
    if (contains === searched.current || field.current === document.activeElement) return
    searched.current = contains
    setText(contains)
  }, [contains])

  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        find()
      }}
      className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4"
    >
      <label htmlFor="contains" className="sr-only">
        Name contains
      </label>
      <Input
        ref={field}
        id="contains"
        type="search"
        icon={Search}
        className="w-72"
        placeholder="Search projects"
        maxLength={257}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </form>
  )
}

function NoProjects({ contains }: { contains: string | undefined }) {
  if (contains !== undefined)
    return (
      <EmptyState
        icon={SearchX}
        title="No project matches"
      >{`No project that your key may read has "${contains}" in its name.`}</EmptyState>
    )
  return (
    <EmptyState icon={FolderPlus} title="No projects yet">
      Name one, and its page says how to send it a trace. To look around first, <DemoHint />.
    </EmptyState>
  )
}
