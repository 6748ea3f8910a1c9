import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { formatCost } from '../../components/format-cost.ts'
import { readableName } from '../../components/readable-name.ts'
import { type GridColumn, RowsGrid } from '../../components/rows-grid.tsx'
import { Time } from '../../components/time.tsx'
import type { Condition } from './call-condition.ts'
import type { CallRow } from './call-row.ts'
import type { CallsSearch } from './calls-search.ts'
import { KindIcon } from './kind-icon.tsx'
import { TagsCell } from './tags/tags-cell.tsx'
import type { Selection } from './selection/use-selection.ts'

interface Properties {
  rows: readonly CallRow[]
  /** Usual columns that are left out. */
  hidden: readonly string[]
  /** Paths of further columns. */
  columns: readonly string[]
  peek: string | undefined
  selection: Selection
  /** The list that the rows are of, in which a trace finds the next one. */
  list: CallsSearch
  onPeek: (id: string | undefined) => void
  /** Asks for the fields of a call. */
  onFields: (id: string) => void
  /** Adds a condition to those of the list. */
  onCondition: (condition: Condition) => void
  onEnd: () => void
  /** Called when the first row comes into view, or leaves it. */
  onTop?: ((isAtTop: boolean) => void) | undefined
}

const keyOf = ({ id }: CallRow) => id

/** Rows of calls. The keys choose one; Space shows it beside the table, f shows its fields, x selects it, and Enter opens its trace. */
export function CallsTable({ rows, hidden, columns, peek, selection, list, onPeek, onFields, onCondition, onEnd, onTop }: Properties) {
  const { entity, project } = useProject()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState(peek)
  const shown = useMemo(
    () => [
      ...ownColumns(list).filter(({ title }) => !hidden.includes(title)),
      ...columns.map((path, at) => columnsWithLinks(onCondition)[path] ?? furtherColumn(path, at)),
    ],
    [hidden, columns, list, onCondition],
  )

  function onKey(key: string, { id }: CallRow): boolean {
    if (key === ' ') onPeek(id === peek ? undefined : id)
    else if (key === 'x') selection.toggle(id)
    else if (key === 'f') onFields(id)
    else if (key === 'Enter')
      void navigate({ to: '/$entity/$project/calls/$call', params: { entity, project, call: id }, search: { list } })
    else return false
    return true
  }
  const selectColumn: GridColumn<CallRow> = {
    title: 'Select',
    rem: 4.5,
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={`Select ${readableName(name)}`}
        checked={selection.ids.has(id)}
        onChange={() => selection.toggle(id)}
      />
    ),
  }
  const peekColumn: GridColumn<CallRow> = {
    title: 'Peek',
    rem: 4.5,
    cell: ({ id, name }) => (
      <button
        type="button"
        className="small"
        aria-pressed={id === peek}
        aria-label={`Peek at ${readableName(name)}`}
        onClick={() => {
          setChosen(id)
          onPeek(id === peek ? undefined : id)
        }}
      >
        Peek
      </button>
    ),
  }
  return (
    <RowsGrid
      label="Calls"
      rows={rows}
      columns={[selectColumn, ...shown, peekColumn]}
      keyOf={keyOf}
      onEnd={onEnd}
      onTop={onTop}
      choice={{
        chosen,
        marked: peek,
        onKey,
        onChoose({ id }) {
          setChosen(id)
          if (peek !== undefined) onPeek(id)
        },
      }}
    />
  )
}

const ownColumns = (list: CallsSearch): readonly GridColumn<CallRow>[] => [
  {
    title: 'Status',
    rem: 5.5,
    hint: ({ error }) => error,
    cell: ({ status }) => <span className={`status-${status}`}>{status === 'descendant_error' ? 'error below' : status}</span>,
  },
  { title: 'Name', rem: 10.5, hint: ({ name }) => name, cell: (row) => <CallLink row={row} list={list} /> },
  { title: 'Input', rem: 9.5, hint: ({ input }) => input, cell: ({ input }) => input },
  { title: 'Output', rem: 9.5, hint: ({ error, output }) => error ?? output, cell: ({ error, output }) => error ?? output },
  { title: 'Started', rem: 13, cell: ({ startedAt }) => <Time value={startedAt} /> },
  { title: 'Latency', rem: 6, isNumber: true, cell: ({ latencyMs }) => (latencyMs === null ? '' : formatDuration(latencyMs)) },
  { title: 'Tokens', rem: 5.5, isNumber: true, cell: ({ tokens }) => tokens?.toLocaleString('en') },
  { title: 'Cost', rem: 6, isNumber: true, cell: ({ tokens, cost }) => (cost === null ? tokens !== null && 'no price' : formatCost(cost)) },
]

/** Columns whose cells are more than a text, by what stands for them among the paths. */
const columnsWithLinks = (onCondition: Properties['onCondition']): Partial<Record<string, GridColumn<CallRow>>> => ({
  op_version: {
    title: 'Op version',
    rem: 7.5,
    hint: ({ version }) => version && `${version.name}:${version.digest}`,
    cell: (row) => <VersionLink row={row} />,
  },
  tags: {
    title: 'Tags',
    rem: 14,
    hint: ({ tags }) => tags.map(({ tag }) => tag).join(', '),
    cell: ({ tags }) => <TagsCell tags={tags} onCondition={onCondition} />,
  },
})

const furtherColumn = (path: string, at: number): GridColumn<CallRow> => ({
  title: path,
  rem: 10,
  hint: ({ further }) => further[at],
  cell: ({ further }) => further[at],
})

function CallLink({ row, list }: { row: CallRow; list: CallsSearch }) {
  const { entity, project } = useProject()
  return (
    <>
      <KindIcon kind={row.kind} />
      <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: row.id }} search={{ list }}>
        {readableName(row.name)}
      </Link>
    </>
  )
}

function VersionLink({ row: { version } }: { row: CallRow }) {
  const { entity, project } = useProject()
  if (version === undefined) return null
  return (
    <Link
      to="/$entity/$project/$kind/$object"
      params={{ entity, project, kind: 'ops', object: version.name }}
      search={{ version: version.digest }}
    >
      {version.short}
    </Link>
  )
}
