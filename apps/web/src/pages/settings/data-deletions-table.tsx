import type { DataDeletion } from '@heddle/core-api/types'
import { dataCountsText } from '@heddle/trace-model'
import { Download } from 'lucide-react'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { Time } from '../../ui/time/time.tsx'

const columns: ListColumn<DataDeletion>[] = [
  { id: 'time', title: 'Requested', width: '144px', cell: ({ requested_at }) => <Time value={requested_at} /> },
  { id: 'by', title: 'By', width: '104px', cell: ({ requested_by }) => <bdi>{requested_by}</bdi> },
  { id: 'selection', title: 'Data', wraps: true, namesRow: true, cell: ({ selection }) => <bdi>{textOfSelection(selection)}</bdi> },
  { id: 'removed', title: 'Deleted', wraps: true, cell: ({ removed }) => dataCountsText(removed) || 'No records' },
  {
    id: 'state',
    title: 'Receipt',
    width: '144px',
    cell: ({ id, receipt, state }) =>
      receipt === null ? (
        <span role="status">{state === 'selecting' ? 'Finding records' : 'Deleting'}</span>
      ) : (
        <Button
          icon={Download}
          onClick={() => saveFile({ name: `deletion-${id}.json`, type: 'application/json', text: JSON.stringify(receipt, null, 2) })}
        >
          Receipt
        </Button>
      ),
  },
]

/** Deletions of data with their progress, and their receipts to save. */
export function DataDeletionsTable({ deletions }: { deletions: readonly DataDeletion[] }) {
  return (
    <ListTable
      label="Deletions of data"
      framed
      empty="No deletions yet"
      rows={deletions}
      columns={columns}
      rowId={({ id }) => id}
      rowHeight={48}
      minWidth={720}
    />
  )
}

function textOfSelection(selection: DataDeletion['selection']): string {
  if (selection['kind'] === 'user') return `User ${String(selection['user_id'])}`
  return selection['kind'] === 'project' ? 'The project' : 'A query of calls'
}
