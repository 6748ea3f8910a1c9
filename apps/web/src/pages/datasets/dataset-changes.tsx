import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { History, PencilLine } from 'lucide-react'
import { useMemo, useState } from 'react'
import { exactClient as client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { readableCell } from '../../lib/texts/readable-cell.ts'
import { toText } from '../../lib/texts/to-text.ts'
import { ShowDiff } from '../../features/diff/show-diff.tsx'
import { compareRows, type VersionRow } from '../../features/datasets/compare-rows.ts'
import { comparedRowsQuery, maxComparedRows } from '../../features/datasets/dataset-queries.ts'
import type { DatasetVersion } from '../../features/datasets/dataset-versions.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'

const from = '/$entity/$project/datasets/$object'
const rowsAtOnce = 100

/** How the version that is shown differs from another, row by row. */
export function DatasetChanges({ versions, shown }: { versions: readonly DatasetVersion[]; shown: DatasetVersion }) {
  const { against } = useSearch({ from })
  const navigate = useNavigate({ from })
  const others = versions.filter(({ digest }) => digest !== shown.digest)
  const before = others.find(({ digest }) => digest === against) ?? others.find(({ index }) => index < shown.index) ?? others[0]
  if (!before)
    return (
      <EmptyState icon={History} title={`Only v${shown.index}`}>
        Save a changed row as a new version to see what changed.
      </EmptyState>
    )
  return (
    <div className="flex max-w-280 flex-col items-start gap-3 p-4">
      <Select
        label="Since"
        inside
        choices={others.map(({ digest, index }) => ({ value: digest, label: `v${index}` }))}
        value={before.digest}
        onChange={(digest) => void navigate({ to: '.', search: (search) => ({ ...search, against: digest }) })}
      />
      {before.tableDigest === undefined || shown.tableDigest === undefined ? (
        <Notice title="The rows of one of the versions are in another project" />
      ) : (
        <ComparedTables before={before.tableDigest} after={shown.tableDigest} />
      )}
    </div>
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
                <Notice title={`The first ${maxComparedRows.toLocaleString('en')} rows of each version are compared`} />
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
      <p role="status" className="num text-fg-2">
        {added.length} added, {removed.length} removed, {changed.length} changed, {unchanged} unchanged
      </p>
      {changed.length > 0 && (
        <section aria-label="Changed" className="flex w-full flex-col gap-2">
          <h2 className="font-semibold">Changed</h2>
          {changed.slice(0, shown).map((one) => (
            <Fold
              key={one.after.original_index}
              icon={PencilLine}
              isOpenAtFirst={changed.length <= 5}
              title={`Row ${one.after.original_index}: ${readableCell(one.after.val)}`}
            >
              <ShowDiff before={toText(one.before.val)} after={toText(one.after.val)} />
            </Fold>
          ))}
        </section>
      )}
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
    <section aria-label={title} className="flex w-full flex-col gap-2">
      <h2 className="font-semibold">{title}</h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {rows.slice(0, shown).map(({ digest, val, original_index }) => (
          <li key={`${digest} ${original_index}`} className="flex min-h-9 items-center gap-3 px-3 py-1.5">
            <span className="num w-14 shrink-0 text-fg-3">Row {original_index}</span>
            <span className="min-w-0 truncate">{readableCell(val, 300)}</span>
          </li>
        ))}
      </ul>
      <LeftOut count={rows.length - shown} onMore={() => setShown(shown + rowsAtOnce)} />
    </section>
  )
}

function LeftOut({ count, onMore }: { count: number; onMore: () => void }) {
  if (count <= 0) return null
  return (
    <Button className="self-start" onClick={onMore}>
      Show {Math.min(count, rowsAtOnce)} of {count.toLocaleString('en')} more
    </Button>
  )
}
