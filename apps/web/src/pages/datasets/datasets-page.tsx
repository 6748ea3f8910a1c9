import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Database, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { exactClient as client } from '../../lib/server/client.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { countText } from '../../lib/texts/count-text.ts'
import { toCell } from '../../lib/texts/to-text.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { datasetsQuery, type ListedDataset } from '../../features/datasets/dataset-queries.ts'
import { ImportDataset } from './import-dataset.tsx'

const none: readonly ListedDataset[] = []

/** The datasets of a project, and the way to import one. */
export function DatasetsPage() {
  const project = useProject()
  const navigate = useNavigate()
  const query = useQuery(datasetsQuery(client, project.id))
  const [isImporting, setIsImporting] = useState(false)
  const columns = useMemo(() => columnsOf(project), [project.id])
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <PageHead
        title="Datasets"
        actions={
          <Button variant="primary" icon={Upload} onClick={() => setIsImporting(true)}>
            Import dataset
          </Button>
        }
      />
      {query.isError && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      <DataTable
        label="Datasets"
        name="datasets"
        rows={query.data?.datasets ?? none}
        columns={columns}
        rowId={({ objectId }) => objectId}
        rowName={({ name }) => name}
        onOpen={({ objectId }) => void navigate({ to: '/$entity/$project/datasets/$object', params: { ...project, object: objectId } })}
        isLoading={query.isPending && !query.isError}
        empty={
          query.data && (
            <EmptyState icon={Database} title="No datasets yet">
              Import a file, or add traces from their list.
            </EmptyState>
          )
        }
      />
      {query.data && (
        <PageFooter>{`${query.data.hasMore ? 'The newest ' : ''}${countText(query.data.datasets.length, 'dataset')}`}</PageFooter>
      )}
      <ImportDataset open={isImporting} onClose={() => setIsImporting(false)} />
    </div>
  )
}

const columnsOf = (project: ProjectName): Column<ListedDataset>[] => [
  {
    id: 'name',
    title: 'Name',
    width: 'minmax(180px, 1.2fr)',
    sort: ({ name }) => name,
    hint: ({ name }) => name,
    cell: ({ objectId, name }) => (
      <Link to="/$entity/$project/datasets/$object" params={{ ...project, object: objectId }} className="font-medium">
        {name}
      </Link>
    ),
  },
  {
    id: 'description',
    title: 'Description',
    width: 'minmax(160px, 2fr)',
    hint: ({ description }) => toCell(description, 300),
    cell: ({ description }) =>
      description === '' ? <span className="text-fg-3">–</span> : <span className="text-fg-2">{toCell(description, 300)}</span>,
  },
  {
    id: 'rows',
    title: 'Rows',
    width: '96px',
    align: 'right',
    sort: ({ rowCount }) => rowCount ?? -1,
    cell: ({ rowCount }) => rowCount?.toLocaleString('en') ?? <span className="text-fg-3">–</span>,
  },
  { id: 'version', title: 'Version', width: '88px', align: 'right', sort: ({ index }) => index, cell: ({ index }) => `v${index}` },
  timeColumn('created', 'Created', ({ createdAt }) => createdAt),
]
