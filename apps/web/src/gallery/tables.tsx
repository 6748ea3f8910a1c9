import { SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Kind, KindIcon, StatusIcon } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { ListTable } from '../ui/list-table.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { RowMenu } from '../ui/row-menu.tsx'
import { type Column, movedOver } from '../ui/table/columns.ts'
import { ColumnsMenu } from '../ui/table/columns-menu.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useGridPreferences } from '../ui/table/preferences.ts'
import { Section } from './section.tsx'
import { numberColumn } from '../ui/table/column-kinds.tsx'

interface Row {
  id: string
  name: string
  kind: Kind
  isFailed: boolean
  isChanged: boolean
  tokens: number
}

const rows: Row[] = Array.from({ length: 100_000 }, (_, index) => ({
  id: String(index),
  name: `agent.run ${index}`,
  kind: index % 3 === 0 ? 'agent' : 'llm',
  isFailed: index % 17 === 0,
  isChanged: index === 3,
  tokens: (index * 7919) % 4000,
}))

const columns: Column<Row>[] = [
  {
    id: 'status',
    title: 'Status',
    isTitleHidden: true,
    width: '36px',
    align: 'center',
    pin: 'left',
    cell: ({ isFailed }) => <StatusIcon status={isFailed ? 'error' : 'ok'} />,
  },
  {
    id: 'name',
    title: 'Name',
    width: 'minmax(160px, 1.7fr)',
    pin: 'left',
    sort: ({ name }) => name,
    hint: ({ name }) => name,
    cell: ({ name, kind }) => (
      <span className="flex items-center gap-2">
        <KindIcon kind={kind} />
        <span className="truncate font-medium">{name}</span>
      </span>
    ),
  },
  {
    id: 'output',
    title: 'Output',
    width: 'minmax(400px, 2fr)',
    cell: ({ name }) => <span className="text-fg-2">{`What ${name} answered stands on one line, and is cut at its end.`}</span>,
  },
  numberColumn('tokens', 'Tokens', '96px', ({ tokens }) => tokens, { sort: true }),
]

const idOf = ({ id }: Row) => id
const nameOf = ({ name }: Row) => name
const toneOf = ({ isFailed, isChanged }: Row) => (isFailed ? 'red' : isChanged ? 'amber' : undefined)
const byKind = {
  label: 'Kind',
  valueOf: ({ kind }: Row) => kind,
  totals: (some: readonly Row[]) => <span>{`${some.reduce((sum, { tokens }) => sum + tokens, 0).toLocaleString('en')} tokens`}</span>,
}
const box = 'flex h-96 w-full overflow-hidden rounded-lg border border-line bg-sheet'

export function Tables() {
  const [peek, setPeek] = useState<string>()
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [preferences, keep] = useGridPreferences('gallery')
  const few = useMemo(() => rows.slice(0, 4), [])
  const ids = columns.map(({ id }) => id)
  const order = [...preferences.order, ...ids.filter((id) => !preferences.order.includes(id))]
  const offered = order.flatMap((id) => {
    const column = columns.find((one) => one.id === id)
    return column ? [{ id, title: column.title, isShown: !hidden.includes(id), isFixed: id === 'name' }] : []
  })
  return (
    <>
      <div className="flex justify-end">
        <ColumnsMenu
          columns={offered}
          onShow={(id, isShown) => setHidden(isShown ? hidden.filter((one) => one !== id) : [...hidden, id])}
          onMove={(id, over) => keep({ order: movedOver(order, id, over) })}
          onReset={() => {
            setHidden([])
            keep({ order: [], widths: {} })
          }}
        />
      </div>
      <div className={box}>
        <DataTable
          label="Traces"
          name="gallery"
          rows={rows}
          columns={columns}
          hidden={hidden}
          rowId={idOf}
          rowName={nameOf}
          onPeek={({ id }) => setPeek(id)}
          selection={selection}
          onSelection={setSelection}
          tone={toneOf}
        />
      </div>
      <p className="text-xs text-fg-3">
        {`${rows.length.toLocaleString('en')} traces, ${selection.size} selected${peek === undefined ? '' : `, ${peek} beside`}`}
      </p>
      <Grouped />
      <div className={box}>
        <DataTable
          label="Loading traces"
          rows={[]}
          columns={columns}
          rowId={idOf}
          isLoading
          selection={selection}
          onSelection={setSelection}
        />
      </div>
      <div className={box}>
        <DataTable
          label="No traces"
          rows={[]}
          columns={columns}
          rowId={idOf}
          empty={<EmptyState icon={SearchX} title="No traces match" actions={<Button>Clear filters</Button>} />}
        />
      </div>
      <Section title="Short tables">
        <div className="w-full overflow-hidden rounded-lg border border-line">
          <ListTable<Row>
            label="Slowest operations"
            rows={few}
            rowId={idOf}
            actions={({ id, name }) => (
              <RowMenu of={name} disabled={id === '0'}>
                <MenuItem>Open</MenuItem>
                <MenuItem danger>Delete…</MenuItem>
              </RowMenu>
            )}
            columns={[
              { id: 'name', title: 'Name', namesRow: true, cell: nameOf },
              { id: 'note', title: 'Note', wraps: true, cell: ({ kind }) => `A text that continues on further lines: ${kind} `.repeat(3) },
              numberColumn('tokens', 'Tokens', '96px', ({ tokens }) => tokens),
            ]}
          />
        </div>
      </Section>
    </>
  )
}

function Grouped() {
  const some = useMemo(() => rows.slice(0, 40), [])
  return (
    <div className={box}>
      <DataTable label="Traces by kind" rows={some} columns={columns} rowId={idOf} isGrid group={byKind} />
    </div>
  )
}
