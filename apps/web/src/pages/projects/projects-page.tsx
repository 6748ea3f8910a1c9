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
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Input } from '../../ui/field.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { startedSince } from '../../features/calls/started-since.ts'
import { ingestHealth } from './ingest-health.ts'
import { NewProject } from './new-project.tsx'
import { projectsQuery } from './projects-queries.ts'
import { ListPage } from '../../ui/list-page.tsx'
import { linkColumn, textColumn, timeColumn } from '../../ui/table/column-kinds.tsx'
import type { CallsSearch } from '../../features/calls/calls-search.ts'

const route = getRouteApi('/')
const weekMs = 7 * 86_400_000
/** A pause in typing after which projects are searched. */
const typingMs = 250

/** The projects that the key may read, with what happened in them lately. */
export function ProjectsPage() {
  const { contains } = route.useSearch()
  const projects = useInfiniteQuery(projectsQuery(contains))
  const { data, error, refetch } = projects
  const rows = useMemo(() => data?.pages.flatMap((page) => page.projects), [data])
  const [isNaming, setIsNaming] = useState(false)
  return (
    <ListPage
      title="Projects"
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setIsNaming(true)}>
          New project
        </Button>
      }
      above={<FindProject contains={contains} />}
      label="Projects"
      name="projects"
      // An empty cached result may be outdated.
      query={{ data, error, refetch, isPending: !error && !rows?.length && !projects.isFetchedAfterMount }}
      rows={rows}
      columns={columns}
      rowId={idOf}
      rowName={idOf}
      linkOf={(project) => ({ to: '/$entity/$project', params: paramsOf(project) })}
      onEnd={() => readAhead(projects)}
      empty={<NoProjects contains={contains} />}
      footer={({ length }) =>
        length > 0 && (
          <>
            <span role="status">{`${countText(length, 'project')}${projects.hasNextPage ? ' loaded' : ''}`}</span>
            <MoreButton query={projects}>Load more</MoreButton>
          </>
        )
      }
    >
      <NewProject open={isNaming} onClose={() => setIsNaming(false)} />
    </ListPage>
  )
}

const idOf = ({ id }: ListedProject) => id

const paramsOf = ({ entity, name }: ListedProject) => ({ entity, project: name })

/** A number of calls that leads to them. */
function countColumn(id: string, title: string, width: string, countOf: (project: ListedProject) => number, searchOf: () => CallsSearch) {
  const cell = (project: ListedProject) =>
    countOf(project) === 0 ? (
      '0'
    ) : (
      <Link to="/$entity/$project/calls" params={paramsOf(project)} search={searchOf()}>
        {countOf(project).toLocaleString('en')}
      </Link>
    )
  return { id, title, width, align: 'right' as const, cell }
}

const lately = (): CallsSearch => ({ level: 'all', where: [startedSince(weekMs)] })

const columns: Column<ListedProject>[] = [
  linkColumn('project', 'Project', 'minmax(200px, 3fr)', idOf, (project) => ({ to: '/$entity/$project', params: paramsOf(project) })),
  timeColumn('newest', 'Newest trace', ({ last_call_at }) => last_call_at, { sort: false, align: 'left' }),
  textColumn('ingest', 'Activity', 'minmax(160px, 1fr)', ({ last_call_at }) => ingestHealth(last_call_at), { look: 'quiet' }),
  countColumn('spans', 'Spans, 7 days', '112px', ({ calls_7d }) => calls_7d, lately),
  countColumn(
    'failed',
    'Failed',
    '80px',
    ({ errors_7d }) => errors_7d,
    () => ({ ...lately(), status: 'error' }),
  ),
  {
    id: 'cost',
    title: 'Cost, 7 days',
    width: 'minmax(160px, 1fr)',
    align: 'right',
    hint: ({ cost_7d, unpriced_7d, ...project }) => withSource(costText(cost_7d, unpriced_7d), sourceOf(project)),
    cell: ({ cost_7d, unpriced_7d, ...project }) =>
      cost_7d === null && unpriced_7d === 0 ? undefined : (
        <>
          <Link to="/$entity/$project/costs" params={{ entity: project.entity, project: project.name }} search={{ range: '7d' }}>
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
