import { movedOver } from '../../ui/table/columns.ts'
import { ColumnsMenu, type OfferedColumn } from '../../ui/table/columns-menu.tsx'
import { useGridPreferences } from '../../ui/table/preferences.ts'
import { gridName } from './calls-table.tsx'
import { idOfField } from './columns-of-calls.tsx'
import { type CallsSearch, hideableColumns, maxColumns, type UsualColumn } from '../../features/calls/calls-search.ts'

interface Properties {
  search: CallsSearch
  /** Paths that the calls so far have. */
  paths: readonly string[]
  change: (part: CallsSearch) => void
}

const usual: readonly { id: UsualColumn; title: string }[] = [
  { id: 'status', title: 'Status' },
  { id: 'started', title: 'Started' },
  { id: 'name', title: 'Name' },
  { id: 'input', title: 'Input' },
  { id: 'output', title: 'Output' },
  { id: 'scores', title: 'Scores' },
  { id: 'latency', title: 'Latency' },
  { id: 'tokens', title: 'Tokens' },
  { id: 'cost', title: 'Cost' },
  { id: 'tags', title: 'Tags' },
]

/** Shows and hides the usual columns, and adds fields as further ones. The address keeps which; this browser keeps the order of the usual ones. */
export function CallsColumnsMenu({ search: { hidden = [], columns = [] }, paths, change }: Properties) {
  const [{ order }, keep] = useGridPreferences(gridName)
  const own = usual.toSorted((one, other) => placeIn(order, one.id) - placeIn(order, other.id))
  const isHidden = (title: string) => hidden.some((one) => one === title)
  const offered: OfferedColumn[] = [
    ...own.map(({ id, title }) => ({ id, title, isShown: !isHidden(title), isFixed: id === 'name' })),
    ...columns.map((path) => ({ id: idOfField(path), title: path, isShown: true })),
    ...paths.filter((path) => !columns.includes(path)).map((path) => ({ id: idOfField(path), title: path, isShown: false })),
  ]
  const setColumns = (next: string[]) => change({ columns: next.length > 0 ? next : undefined })

  const pathOf = (id: string) => offered.find((one) => one.id === id)?.title ?? id

  function show(id: string, isShown: boolean) {
    const title = usual.find((one) => one.id === id)?.title
    if (title === undefined) return setColumns(isShown ? [...columns, pathOf(id)] : columns.filter((path) => path !== pathOf(id)))
    const next = hideableColumns.filter((one) => (one === title ? !isShown : isHidden(one)))
    change({ hidden: next.length > 0 ? next : undefined })
  }
  function move(id: string, over: string) {
    const [isField, isOverField] = [id, over].map((one) => !own.some((column) => column.id === one))
    if (isField && isOverField) setColumns(movedOver(columns, pathOf(id), pathOf(over)))
    else if (!isField && !isOverField)
      keep({
        order: movedOver(
          own.map((one) => one.id),
          id,
          over,
        ),
      })
  }
  return (
    <ColumnsMenu
      columns={offered}
      limit={columns.length >= maxColumns ? `At most ${maxColumns} columns can be added.` : undefined}
      onShow={show}
      onMove={move}
      onReset={() => {
        keep({ order: [], widths: {} })
        change({ hidden: undefined, columns: undefined })
      }}
    />
  )
}

const placeIn = (order: readonly string[], id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
