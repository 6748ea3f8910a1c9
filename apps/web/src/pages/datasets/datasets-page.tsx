import { useQuery } from '@tanstack/react-query'
import { Database, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { exactClient as client } from '../../lib/server/client.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { countText } from '../../lib/texts/count-text.ts'
import { toCell } from '../../lib/texts/to-text.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { timeColumn, linkColumn, numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'
import { datasetsQuery, type ListedDataset } from '../../features/datasets/dataset-queries.ts'
import { ImportDataset } from './import-dataset.tsx'
import { ListPage } from '../../ui/list-page.tsx'

/** The datasets of a project, and the way to import one. */
export function DatasetsPage() {
  const project = useProject()
  const query = useQuery(datasetsQuery(client, project.id))
  const [isImporting, setIsImporting] = useState(false)
  const columns = useMemo(() => columnsOf(project), [project.id])
  return (
    <ListPage
      title="Datasets"
      actions={
        <Button variant="primary" icon={Upload} onClick={() => setIsImporting(true)}>
          Import dataset
        </Button>
      }
      label="Datasets"
      name="datasets"
      query={query}
      rows={query.data?.datasets}
      columns={columns}
      rowId={({ objectId }) => objectId}
      rowName={({ name }) => name}
      linkOf={(dataset) => linkOfDataset(project, dataset)}
      empty={
        <EmptyState icon={Database} title="No datasets yet">
          Import a file, or add traces from their list.
        </EmptyState>
      }
      footer={({ length }) => `${query.data?.hasMore ? 'The newest ' : ''}${countText(length, 'dataset')}`}
    >
      <ImportDataset open={isImporting} onClose={() => setIsImporting(false)} />
    </ListPage>
  )
}

const linkOfDataset = (project: ProjectName, { objectId: object }: ListedDataset) =>
  ({ to: '/$entity/$project/datasets/$object', params: { ...project, object } }) as const

const columnsOf = (project: ProjectName): Column<ListedDataset>[] => [
  linkColumn(
    'name',
    'Name',
    'minmax(180px, 1.2fr)',
    ({ name }) => name,
    (dataset) => linkOfDataset(project, dataset),
    { sort: true },
  ),
  textColumn('description', 'Description', 'minmax(160px, 2fr)', ({ description }) => toCell(description, 300), { look: 'quiet' }),
  numberColumn('rows', 'Rows', '96px', ({ rowCount }) => rowCount, { sort: true }),
  numberColumn('version', 'Version', '88px', ({ index }) => index, { sort: true, show: (index) => `v${index}` }),
  timeColumn('created', 'Created', ({ createdAt }) => createdAt),
]
