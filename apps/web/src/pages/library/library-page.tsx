import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams, useNavigate } from '@tanstack/react-router'
import { Library, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { client } from '../../lib/server/client.ts'
import { NotFound } from '../../ui/states/page-error.tsx'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { timeColumn, linkColumn, numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'
import { findKind, type LibraryKind, libraryKinds } from '../../features/library/library-kinds.ts'
import { type ListedObject, objectsQuery } from '../../features/library/library-queries.ts'
import { VersionLabels } from '../../features/library/version-labels.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { readAhead } from '../../ui/table/more-button.tsx'
import { countText } from '../../lib/texts/count-text.ts'
import { Tabs } from '../../ui/tabs.tsx'

/** The latest versions of the objects of a kind. */
export function LibraryPage() {
  const { kind } = useParams({ from: '/$entity/$project/$kind' })
  const known = findKind(kind)
  return known ? <KindPage key={known.path} kind={known} /> : <NotFound />
}

function KindPage({ kind }: { kind: LibraryKind }) {
  const project = useProject()
  const query = useInfiniteQuery(objectsQuery(client, project, kind))
  const objects = useMemo(() => query.data?.pages.flat(), [query.data])
  const columns = useMemo(() => columnsOf(project, kind), [project.id, kind])
  const isPrompts = kind.path === 'prompts'
  return (
    <ListPage
      title={isPrompts ? kind.title : 'Library'}
      actions={
        isPrompts && (
          <ButtonLink variant="primary" icon={Plus} to="/$entity/$project/playground" params={project}>
            New prompt
          </ButtonLink>
        )
      }
      above={<LibraryTabs kind={kind} />}
      label={kind.title}
      name={`library-${kind.path}`}
      query={query}
      rows={objects}
      columns={columns}
      rowId={idOf}
      rowName={({ object_id }) => object_id}
      linkOf={(object) => linkOfObject(project, kind, object)}
      onEnd={() => readAhead(query)}
      empty={
        <EmptyState icon={Library} title={`No ${kind.title.toLowerCase()} yet`}>
          {kind.empty}
        </EmptyState>
      }
      footer={({ length }) => `${countText(length, kind.one, kind.title.toLowerCase())}${query.hasNextPage ? ' loaded' : ''}`}
    />
  )
}

const idOf = ({ kind, object_id }: ListedObject) => `${kind} ${object_id}`
/** In the list of all objects ops have the page of ops. */
const linkOfObject = (project: ProjectName, { path }: LibraryKind, { kind, object_id: object }: ListedObject) =>
  ({ to: '/$entity/$project/$kind/$object', params: { ...project, kind: kind === 'op' ? 'ops' : path, object } }) as const

/** Ops have none. */
const classColumn = textColumn<ListedObject>('class', 'Class', 'minmax(120px, 1fr)', ({ leaf_object_class }) => leaf_object_class, {
  sort: true,
})

const columnsOf = (project: ProjectName, kind: LibraryKind): Column<ListedObject>[] => [
  linkColumn(
    'name',
    'Name',
    'minmax(200px, 1.6fr)',
    ({ object_id }) => object_id,
    (object) => linkOfObject(project, kind, object),
    {
      sort: true,
    },
  ),
  ...(kind.filter.is_op ? [] : [classColumn]),
  numberColumn('version', 'Latest', '88px', ({ version_index }) => version_index, { show: (index) => `v${index}` }),
  {
    id: 'labels',
    title: 'Aliases and tags',
    width: 'minmax(160px, 1.2fr)',
    cell: ({ aliases, tags }) => {
      const named = aliases?.filter((name) => name !== 'latest') ?? []
      if (named.length === 0 && !tags?.length) return undefined
      return (
        <span className="flex gap-1 overflow-hidden">
          <VersionLabels aliases={named} tags={tags} />
        </span>
      )
    },
  },
  timeColumn('created', 'Created', ({ created_at }) => created_at),
]

/** Prompts have a separate page in the navigation. */
const tabs = libraryKinds.filter(({ path }) => path !== 'prompts').map(({ path, title }) => ({ id: path, label: title }))

/** Leads between the kinds of the library. */
function LibraryTabs({ kind }: { kind: LibraryKind }) {
  const { entity, project } = useProject()
  const navigate = useNavigate()
  if (kind.path === 'prompts') return null
  return (
    <Tabs
      label="Kinds of the library"
      tabs={tabs}
      value={kind.path}
      onChange={(path) => void navigate({ to: '/$entity/$project/$kind', params: { entity, project, kind: path } })}
    />
  )
}
