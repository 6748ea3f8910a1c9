import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { SearchField } from '../../../ui/search-field.tsx'
import { Failure } from '../../../ui/states/failure.tsx'
import { QueryProblem } from '../../../ui/states/query-problem.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageFooter } from '../../../ui/page.tsx'
import { movedOver } from '../../../ui/table/columns.ts'
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { useGridPreferences } from '../../../ui/table/preferences.ts'
import { Segmented } from '../../../ui/tabs.tsx'
import { rowsText } from '../../../features/datasets/dataset-queries.ts'
import type { DatasetVersion } from '../../../features/datasets/dataset-versions.ts'
import { useRowChanges } from '../use-row-changes.ts'
import { columnsOfRows, type PlacedRow, type RowMark } from './columns-of-rows.tsx'
import type { Row } from './parse-rows.ts'
import type { RowChanges } from './row-changes.ts'
import { columnsOf } from './row-columns.ts'
import { changeRow, countEdits, removeAdded, type RowEdits, toggleRemoved } from './row-edits.ts'
import { useFoundRows } from './use-found-rows.ts'
import { useTableRows } from './use-table-rows.ts'

const RowPanel = lazyPart(() => import('./row-panel.tsx').then(({ RowPanel }) => RowPanel))

const from = '/$entity/$project/datasets/$object'
/** Larger versions are compared only on demand. */
const comparedUnasked = 2_000

interface Properties {
  version: DatasetVersion & { tableDigest: string }
  /** The version before it. */
  before: DatasetVersion | undefined
  count: number
  edits: RowEdits
  onEdits: (edits: RowEdits) => void
}

const noRows: readonly PlacedRow[] = []

/** The rows of a version of any length: those in sight are read. What differs from the version before, or is not saved yet, is marked. */
export function RowsTab({ version, before, count, edits, onEdits }: Properties) {
  const { row: named, find } = useSearch({ from })
  const navigate = useNavigate({ from })
  const [scope, setScope] = useState<'all' | 'changed'>('all')
  const [range, setRange] = useState({ first: 0, last: 0 })
  const [hidden, setHidden] = useState<readonly string[]>([])
  const { changes, error, isReading } = useRowChanges(version, before, scope === 'changed' || count <= comparedUnasked)
  const total = count + edits.added.length
  const all = useMemo(() => Array.from({ length: total }, (_, place): PlacedRow => ({ place })), [total])
  const found = useFoundRows({ tableDigest: version.tableDigest, count, edits, text: find })
  const isFinding = find !== undefined && !found.places && !found.error
  const rows = useMemo(() => {
    const scoped = scope === 'all' ? all : all.filter(({ place }) => changes?.byPlace.has(place) || isEdited(edits, place, count))
    return find === undefined ? scoped : scoped.filter(({ place }) => found.places?.has(place))
  }, [scope, all, changes, edits, count, find, found.places])
  const shown = named === undefined || total === 0 ? undefined : Math.min(named, total - 1)
  const inSight = rows.slice(range.first, range.last + 1).map(({ place }) => place)
  const wanted = [0, ...inSight, ...(shown === undefined ? [] : [shown])].filter((place) => place < count)
  const { values, failed } = useTableRows(version.tableDigest, count === 0 ? [] : wanted)
  const valueAt = useCallback(
    (place: number): unknown => (place >= count ? edits.added[place - count] : (edits.changed.get(place) ?? values.get(place))),
    [count, edits, values],
  )
  const hasEdits = countEdits(edits) > 0
  const markAt = useCallback(
    (place: number): RowMark => (hasEdits ? editOf(edits, place, count) : changes?.byPlace.get(place)?.kind),
    [hasEdits, edits, count, changes],
  )
  const sample = useMemo(() => [...[...values.values()].slice(0, 50), ...edits.added.slice(0, 50)], [values, edits.added])
  const { columns: names, leftOut } = useMemo(() => columnsOf(sample), [sample])
  // Which columns there are is known with the first rows.
  const isUnread = sample.length === 0 && total > 0 && !failed
  const markedIn = hasEdits ? 'and not saved' : 'in this version'
  const columns = useMemo(() => columnsOfRows({ names, valueAt, markAt, markedIn }, sample), [names, valueAt, markAt, markedIn, sample])
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), [])
  // The rows remain loaded, and with them their unsaved changes.
  const change = (changed: { row?: number | undefined; find?: string | undefined }) =>
    void navigate({ to: '.', search: (search) => ({ ...search, ...changed }), replace: true, ignoreBlocker: true })
  const open = (row: number | undefined) => change({ row })
  const old = shown === undefined ? undefined : changes?.byPlace.get(shown)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <SearchField label="Search rows" value={find ?? ''} onChange={(text) => change({ find: text || undefined })} />
        {before && (
          <Segmented
            label="Rows"
            value={scope}
            onChange={(value) => setScope(value === 'changed' ? 'changed' : 'all')}
            items={[
              { value: 'all', label: 'All rows' },
              { value: 'changed', label: `Changed since v${before.index}` },
            ]}
          />
        )}
        {changes && <ChangeCounts changes={changes} />}
        <span className="grow" />
        {find !== undefined && found.places && (
          <span role="status" className="num text-xs whitespace-nowrap text-fg-3">
            {`${rows.length.toLocaleString('en')} found${found.searched === undefined ? '' : ` in the first ${found.searched.toLocaleString('en')}`}`}
          </span>
        )}
        <ChooseColumns names={names} hidden={hidden} onHidden={setHidden} />
      </div>
      {failed && <QueryProblem error={failed.error} retry={() => void failed.refetch()} />}
      {found.error && <QueryProblem error={found.error} retry={found.refetch} />}
      <Failure error={error} className="m-3" before="The previous version could not be loaded for comparison." />
      {named !== undefined && named >= total && total > 0 && (
        <Notice className="m-3" title={`This version has no row ${named}; its last one is shown.`} />
      )}
      <div className="relative flex min-h-0 grow">
        <DataTable
          label="Rows"
          name={gridName}
          rows={isUnread ? noRows : rows}
          columns={columns}
          hidden={hidden}
          rowId={idOf}
          rowName={({ place }) => `row ${place}`}
          onPeek={({ place }) => open(place === shown ? undefined : place)}
          onOpen={({ place }) => open(place)}
          marked={shown === undefined ? undefined : String(shown)}
          tone={({ place }) => (isEdited(edits, place, count) ? 'amber' : undefined)}
          onRange={onRange}
          isLoading={isUnread || isFinding || (isReading && scope === 'changed')}
          empty={
            <p className="p-4 text-fg-3">
              {find !== undefined ? 'No rows match' : scope === 'changed' ? `No changes since v${before?.index ?? 0}` : 'No rows'}
            </p>
          }
        />
        <Suspense>
          {shown !== undefined && (
            <RowPanel
              key={shown}
              place={shown}
              value={valueAt(shown) as Row | undefined}
              before={old?.kind === 'changed' && before ? { value: old.before, version: `v${before.index}` } : undefined}
              isRemoved={edits.removed.has(shown)}
              onChange={shown < count ? (row) => onEdits(changeRow(edits, shown, row)) : undefined}
              onRemove={() => {
                if (shown < count) return onEdits(toggleRemoved(edits, shown))
                open(undefined)
                onEdits(removeAdded(edits, shown - count))
              }}
              onClose={() => open(undefined)}
            />
          )}
        </Suspense>
      </div>
      <PageFooter>
        <span className="num">{rowsText(total)}</span>
        <span aria-hidden>·</span>
        <span className="mono truncate">{version.digest.slice(0, 12)}</span>
        {leftOut > 0 && <span className="truncate">{leftOut} further columns are in each row</span>}
      </PageFooter>
    </div>
  )
}

const gridName = 'dataset-rows'
const idOf = ({ place }: PlacedRow) => String(place)

function editOf({ changed, removed }: RowEdits, place: number, count: number): RowMark {
  if (place >= count) return 'added'
  return removed.has(place) ? 'removed' : changed.has(place) ? 'changed' : undefined
}

const isEdited = (edits: RowEdits, place: number, count: number) => editOf(edits, place, count) !== undefined

function ChangeCounts({ changes: { added, removed, changed } }: { changes: RowChanges }) {
  if (added.length + removed.length + changed.length === 0) return <span className="text-xs text-fg-3">No changes</span>
  const count = (number: number, word: string, color: string) => (
    <span className={number === 0 ? undefined : color}>
      {number.toLocaleString('en')} {word}
    </span>
  )
  return (
    <span className="num text-xs text-fg-3">
      {count(added.length, 'added', 'text-green-text')}, {count(removed.length, 'removed', 'text-red-text')},{' '}
      {count(changed.length, 'changed', 'text-amber-text')}
    </span>
  )
}

interface ColumnsProperties {
  names: readonly string[]
  hidden: readonly string[]
  onHidden: (hidden: readonly string[]) => void
}

function ChooseColumns({ names, hidden, onHidden }: ColumnsProperties) {
  const [{ order }, keep] = useGridPreferences(gridName)
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  const ordered = names.toSorted((one, other) => placeOf(one) - placeOf(other))
  return (
    <ColumnsMenu
      columns={ordered.map((name) => ({ id: name, title: name, isShown: !hidden.includes(name) }))}
      onShow={(name, isShown) => onHidden(isShown ? hidden.filter((one) => one !== name) : [...hidden, name])}
      onMove={(name, over) => keep({ order: movedOver(ordered, name, over) })}
      onReset={() => {
        onHidden([])
        keep({ order: [], widths: {} })
      }}
    />
  )
}
