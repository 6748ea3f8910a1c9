import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useMedia } from '../../lib/use-media.ts'
import { useProject } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { DataTable, type Grouping } from '../../ui/table/data-table.tsx'
import type { Sorting } from '../../ui/table/sorting.ts'
import type { Condition } from '../../features/filter/call-condition.ts'
import type { CallRow } from '../../features/calls/call-row.ts'
import type { CallsSearch } from '../../features/calls/calls-search.ts'
import { columnsOfCalls, longLatency } from './columns-of-calls.tsx'
import type { Selection } from './selection/use-selection.ts'
import { useRowDetails } from './use-row-details.ts'

export interface CallsTableProperties {
  /** Undefined until they are read. */
  rows: readonly CallRow[] | undefined
  /** Ids of hidden usual columns. */
  hidden: readonly string[]
  /** Paths of further columns. */
  columns: readonly string[]
  peek: string | undefined
  selection: Selection
  /** The list that the rows are of, in which a trace finds the next one. */
  list: CallsSearch
  sort: CallsSearch['sort']
  onSort: (sort: CallsSearch['sort']) => void
  onPeek: (id: string | undefined) => void
  /** Opens the fields of a call. */
  onFields: (id: string) => void
  /** Adds a condition to those of the list. */
  onCondition: (condition: Condition) => void
  onEnd: () => void
  /** Called when the first row becomes visible or hidden. */
  onTop: (isAtTop: boolean) => void
  empty: ReactNode
  group?: Grouping<CallRow> | undefined
}

export const gridName = 'traces'
const idOf = ({ id }: CallRow) => id
const nameOf = ({ name }: CallRow) => readableName(name)
const toneOf = ({ status }: CallRow) => (status === 'error' ? 'red' : undefined)
const slowestFirst: Sorting = [{ id: 'latency', desc: true }]
const newestFirst: Sorting = [{ id: 'started', desc: true }]
/** Columns without room beside a trace; the pane shows what they say. */
const besidePeek = ['scores', 'latency', 'tokens', 'cost', 'tags']
/** From here on an output has room there too. */
const wide = '(min-width: 1440px)'
const noRows: readonly CallRow[] = []

/** Rows of traces or of all spans. Space shows one next to the table, f its fields, x selects it, and Enter opens its trace. */
export function CallsTable({ rows = noRows, hidden, columns, list, sort, peek, selection, group, ...properties }: CallsTableProperties) {
  const { id: projectId, entity, project } = useProject()
  const navigate = useNavigate()
  const { texts, scores, areTextsLoading, isLoading, onRange } = useRowDetails(projectId, rows, {
    areTraces: list.level !== 'all',
    all: group !== undefined,
  })
  const { onCondition } = properties
  const longMs = useMemo(() => longLatency(rows), [rows])
  const hasTags = useMemo(() => rows.some(({ tags }) => tags.length > 0), [rows])
  const all = useMemo(
    () => columnsOfCalls({ further: columns, list, texts, areTextsLoading, scores, longMs, onCondition }),
    [columns, list, texts, areTextsLoading, scores, longMs, onCondition],
  )
  const isPeeking = peek !== undefined
  const isWide = useMedia(wide)
  const left = useMemo(
    () => [
      ...hidden,
      ...(hasTags ? [] : ['tags']),
      ...(scores.size > 0 ? [] : ['scores']),
      ...(isPeeking ? [...besidePeek, ...(isWide ? [] : ['output'])] : []),
    ],
    [hidden, hasTags, scores.size > 0, isPeeking, isWide],
  )
  return (
    <DataTable
      label={list.level === 'all' ? 'Spans' : 'Traces'}
      name={gridName}
      rows={rows}
      columns={all}
      hidden={left}
      rowId={idOf}
      rowName={nameOf}
      onPeek={({ id }) => properties.onPeek(id === peek ? undefined : id)}
      onOpen={({ id }) => void navigate({ to: '/$entity/$project/calls/$call', params: { entity, project, call: id }, search: { list } })}
      onKey={(key, { id }) => {
        if (key !== 'f') return false
        properties.onFields(id)
        return true
      }}
      marked={peek}
      selection={selection.ids}
      onSelection={selection.set}
      tone={toneOf}
      group={group}
      sorting={{
        value: sort === 'slowest' ? slowestFirst : newestFirst,
        onChange: (next) => properties.onSort(next.some(({ id, desc }) => id === 'latency' && desc) ? 'slowest' : undefined),
      }}
      onEnd={properties.onEnd}
      onTop={properties.onTop}
      onRange={onRange}
      isLoading={rows === noRows || isLoading}
      empty={properties.empty}
    />
  )
}
