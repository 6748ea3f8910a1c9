import { useQuery } from '@tanstack/react-query'
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../../app/client.ts'
import { useProject } from '../../../app/use-project.ts'
import { Empty } from '../../../components/empty.tsx'
import { ShowQuery } from '../../../components/show-query.tsx'
import { rowCountQuery, rowsOfPage, rowsQuery } from '../dataset-queries.ts'
import type { DatasetVersion } from '../dataset-versions.ts'
import type { Row } from './parse-rows.ts'
import { addRows, changeRow, countEdits, noEdits, type RowEdits, toggleRemoved } from './row-edits.ts'
import { RowEditor } from './row-editor.tsx'
import { RowsFile } from './rows-file.tsx'
import { RowsGrid } from './rows-grid.tsx'
import { SaveVersion } from '../save-version.tsx'

const from = '/$entity/$project/datasets/$object'

/** The rows of a version, and the changes that become the next one. */
export function EditableRows({ version }: { version: DatasetVersion }) {
  const { tableDigest } = version
  if (tableDigest === undefined)
    return (
      <Empty title="The rows are not in this project">The dataset refers to a table of another project, so its rows cannot be shown.</Empty>
    )
  return <TableRows version={version} tableDigest={tableDigest} />
}

function TableRows({ version, tableDigest }: { version: DatasetVersion; tableDigest: string }) {
  const { id } = useProject()
  const [edits, setEdits] = useState(noEdits)
  const { row: named = 0 } = useSearch({ from })
  const navigate = useNavigate({ from })
  // The rows stay, and with them what is changed in them.
  const open = (row: number) =>
    void navigate({ to: '.', search: (search) => ({ ...search, row: row || undefined }), replace: true, ignoreBlocker: true })
  const hasEdits = countEdits(edits) > 0
  useBlocker({
    shouldBlockFn: () => !window.confirm('Changes to the rows are not saved. Discard them?'),
    enableBeforeUnload: hasEdits,
    disabled: !hasEdits,
  })
  const query = useQuery(rowCountQuery(client, id, tableDigest))
  return (
    <ShowQuery query={query} what="rows">
      {(count) => (
        <>
          <p className="muted">{count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`}</p>
          {count > 0 && named >= count && <p className="notice">This version has no row {named}; its last one is shown.</p>}
          {count > 0 && (
            <RowsGrid tableDigest={tableDigest} count={count} edits={edits} active={Math.min(named, count - 1)} onActive={open} />
          )}
          {count > 0 && <ActiveRow tableDigest={tableDigest} place={Math.min(named, count - 1)} edits={edits} onEdits={setEdits} />}
          <h2>Add rows</h2>
          <form onSubmit={(event) => event.preventDefault()}>
            <RowsFile label="File with rows to add: CSV, JSON lines or JSON" onRows={(rows) => setEdits((now) => addRows(now, rows))} />
          </form>
          {hasEdits && <SaveVersion version={version} tableDigest={tableDigest} edits={edits} onDiscard={() => setEdits(noEdits)} />}
        </>
      )}
    </ShowQuery>
  )
}

interface ActiveRowProperties {
  tableDigest: string
  place: number
  edits: RowEdits
  onEdits: (edits: RowEdits) => void
}

function ActiveRow({ tableDigest, place, edits, onEdits }: ActiveRowProperties) {
  const { id } = useProject()
  const offset = Math.floor(place / rowsOfPage) * rowsOfPage
  const { data } = useQuery(rowsQuery(client, id, tableDigest, offset))
  const row = data?.[place - offset]
  if (!row) return null
  return (
    <RowEditor
      key={place}
      place={place}
      value={edits.changed.get(place) ?? (row.val as Row)}
      isRemoved={edits.removed.has(place)}
      onChange={(changed) => onEdits(changeRow(edits, place, changed))}
      onRemove={() => onEdits(toggleRemoved(edits, place))}
    />
  )
}
