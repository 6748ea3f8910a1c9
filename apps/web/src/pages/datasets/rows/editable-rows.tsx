import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
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
  const [active, setActive] = useState(0)
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
          <p className="muted">{count.toLocaleString('en')} rows</p>
          {count > 0 && <RowsGrid tableDigest={tableDigest} count={count} edits={edits} active={active} onActive={setActive} />}
          {count > 0 && <ActiveRow tableDigest={tableDigest} place={active} edits={edits} onEdits={setEdits} />}
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
