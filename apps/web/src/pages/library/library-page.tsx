import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Library, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { client } from '../../lib/server/client.ts'
import { NotFound } from '../../ui/states/page-error.tsx'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { findKind, type LibraryKind } from '../../features/library/library-kinds.ts'
import { type ListedObject, objectsQuery } from '../../features/library/library-queries.ts'
import { LibraryTabs } from './library-tabs.tsx'
import { VersionLabels } from '../../features/library/version-labels.tsx'

/** The latest versions of the objects of a kind. */
export function LibraryPage() {
  const { kind } = useParams({ from: '/$entity/$project/$kind' })
  const known = findKind(kind)
  return known ? <KindPage key={known.path} kind={known} /> : <NotFound />
}

function KindPage({ kind }: { kind: LibraryKind }) {
  const project = useProject()
  const navigate = useNavigate()
  const query = useInfiniteQuery(objectsQuery(client, project, kind))
  const objects = useMemo(() => query.data?.pages.flat() ?? [], [query.data])
  const columns = useMemo(() => columnsOf(project, kind), [project.id, kind])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const isPrompts = kind.path === 'prompts'
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <PageHead
        title={isPrompts ? kind.title : 'Library'}
        actions={
          isPrompts && (
            <ButtonLink variant="primary" icon={Plus} to="/$entity/$project/playground" params={project}>
              New prompt
            </ButtonLink>
          )
        }
      />
      <LibraryTabs kind={kind} />
      {query.isError && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      <DataTable
        label={kind.title}
        name={`library-${kind.path}`}
        rows={objects}
        columns={columns}
        rowId={idOf}
        rowName={({ object_id }) => object_id}
        onOpen={(object) =>
          void navigate({
            to: '/$entity/$project/$kind/$object',
            params: { ...project, kind: pathOf(object, kind), object: object.object_id },
          })
        }
        onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
        isLoading={query.isPending && !query.isError}
        empty={
          query.data && (
            <EmptyState icon={Library} title={`No ${kind.title.toLowerCase()} yet`}>
              {kind.empty}
            </EmptyState>
          )
        }
      />
      {objects.length > 0 && (
        <PageFooter>
          {`${objects.length.toLocaleString('en')} ${objects.length === 1 ? kind.one : kind.title.toLowerCase()}${hasNextPage ? ' loaded' : ''}`}
        </PageFooter>
      )}
    </div>
  )
}

const idOf = ({ kind, object_id }: ListedObject) => `${kind} ${object_id}`
/** In the list of all objects ops have the page of ops. */
const pathOf = (object: ListedObject, kind: LibraryKind) => (object.kind === 'op' ? 'ops' : kind.path)

/** Ops have none. */
const classColumn: Column<ListedObject> = {
  id: 'class',
  title: 'Class',
  width: 'minmax(120px, 1fr)',
  sort: ({ leaf_object_class }) => leaf_object_class ?? '',
  hint: ({ leaf_object_class }) => leaf_object_class ?? undefined,
  cell: ({ leaf_object_class }) => leaf_object_class ?? <span className="text-fg-3">–</span>,
}

const columnsOf = (project: ProjectName, kind: LibraryKind): Column<ListedObject>[] => [
  {
    id: 'name',
    title: 'Name',
    width: 'minmax(200px, 1.6fr)',
    sort: ({ object_id }) => object_id,
    hint: ({ object_id }) => object_id,
    cell: (object) => (
      <Link
        to="/$entity/$project/$kind/$object"
        params={{ ...project, kind: pathOf(object, kind), object: object.object_id }}
        className="font-medium"
      >
        {object.object_id}
      </Link>
    ),
  },
  ...(kind.filter.is_op ? [] : [classColumn]),
  { id: 'version', title: 'Latest', width: '88px', align: 'right', cell: ({ version_index }) => `v${version_index}` },
  {
    id: 'labels',
    title: 'Aliases and tags',
    width: 'minmax(160px, 1.2fr)',
    cell: ({ aliases, tags }) => {
      const named = aliases?.filter((name) => name !== 'latest') ?? []
      if (named.length === 0 && !tags?.length) return <span className="text-fg-3">–</span>
      return (
        <span className="flex gap-1 overflow-hidden">
          <VersionLabels aliases={named} tags={tags} />
        </span>
      )
    },
  },
  timeColumn('created', 'Created', ({ created_at }) => created_at),
]
