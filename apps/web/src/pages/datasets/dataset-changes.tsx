import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { toCell, toText } from '../../components/to-text.ts'
import { ShowDiff } from '../library/show-diff.tsx'
import { compareRows, type VersionRow } from './rows/compare-rows.ts'
import { comparedRowsQuery, maxComparedRows } from './dataset-queries.ts'
import type { DatasetVersion } from './dataset-versions.ts'

const from = '/$entity/$project/datasets/$object'
const rowsAtOnce = 100

/** How the version that is shown differs from another, row by row. */
export function DatasetChanges({ versions, shown }: { versions: readonly DatasetVersion[]; shown: DatasetVersion }) {
  const { against } = useSearch({ from })
  const navigate = useNavigate({ from })
  const others = versions.filter(({ digest }) => digest !== shown.digest)
  const before = others.find(({ digest }) => digest === against) ?? others.find(({ index }) => index < shown.index) ?? others[0]
  if (!before) return <Empty title="Only one version">Save a changed row as a new version to see what changed.</Empty>
  return (
    <>
      <div className="row">
        <label htmlFor="against">Compared with</label>
        <select
          id="against"
          value={before.digest}
          onChange={({ target }) => void navigate({ to: '.', search: (search) => ({ ...search, against: target.value }) })}
        >
          {others.map(({ digest, index }) => (
            <option key={digest} value={digest}>
              v{index}
            </option>
          ))}
        </select>
      </div>
      {before.tableDigest === undefined || shown.tableDigest === undefined ? (
        <p className="notice">The rows of one of the versions are not in this project, so they cannot be compared.</p>
      ) : (
        <ComparedTables before={before.tableDigest} after={shown.tableDigest} />
      )}
    </>
  )
}

function ComparedTables({ before, after }: { before: string; after: string }) {
  const { id } = useProject()
  const older = useQuery(comparedRowsQuery(client, id, before))
  const newer = useQuery(comparedRowsQuery(client, id, after))
  return (
    <ShowQuery query={older} what="rows of the older version">
      {(oldRows) => (
        <ShowQuery query={newer} what="rows of the newer version">
          {(newRows) => (
            <>
              {(oldRows.hasMore || newRows.hasMore) && (
                <p className="notice">
                  The first {maxComparedRows.toLocaleString('en')} rows of each version are compared; there are more.
                </p>
              )}
              <Comparison before={oldRows.rows} after={newRows.rows} />
            </>
          )}
        </ShowQuery>
      )}
    </ShowQuery>
  )
}

function Comparison({ before, after }: { before: readonly VersionRow[]; after: readonly VersionRow[] }) {
  const { added, removed, changed, unchanged } = useMemo(() => compareRows(before, after), [before, after])
  const [shown, setShown] = useState(rowsAtOnce)
  return (
    <>
      <p role="status">
        {added.length} added, {removed.length} removed, {changed.length} changed, {unchanged} unchanged
      </p>
      {changed.length > 0 && <h2>Changed</h2>}
      {changed.slice(0, shown).map((one) => (
        <details key={one.after.original_index} open={changed.length <= 5}>
          <summary>
            Row {one.after.original_index}: {toCell(one.after.val)}
          </summary>
          <ShowDiff before={toText(one.before.val)} after={toText(one.after.val)} />
        </details>
      ))}
      <LeftOut count={changed.length - shown} onMore={() => setShown(shown + rowsAtOnce)} />
      <RowList title="Added" rows={added} />
      <RowList title="Removed" rows={removed} />
    </>
  )
}

function RowList({ title, rows }: { title: string; rows: readonly VersionRow[] }) {
  const [shown, setShown] = useState(rowsAtOnce)
  if (rows.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {rows.slice(0, shown).map(({ digest, val, original_index }) => (
          <li key={`${digest} ${original_index}`}>
            Row {original_index}: {toCell(val, 300)}
          </li>
        ))}
      </ul>
      <LeftOut count={rows.length - shown} onMore={() => setShown(shown + rowsAtOnce)} />
    </>
  )
}

function LeftOut({ count, onMore }: { count: number; onMore: () => void }) {
  if (count <= 0) return null
  return (
    <p className="notice">
      {count === 1 ? '1 more row is not shown.' : `${count.toLocaleString('en')} more rows are not shown.`}{' '}
      <button type="button" onClick={onMore}>
        Show {Math.min(count, rowsAtOnce)} more
      </button>
    </p>
  )
}
