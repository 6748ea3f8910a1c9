import { ChevronDown, ChevronUp, GripVertical, RotateCcw, Search } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../button.tsx'
import { Checkbox, Input } from '../field.tsx'
import { Segmented } from '../tabs.tsx'
import { type Density, useDensity } from './preferences.ts'

/** A column that may be shown. */
export interface OfferedColumn {
  id: string
  title: string
  isShown: boolean
  /** Always shown. */
  isFixed?: boolean
}

export interface ColumnsProperties {
  /** The columns shown are first, in their order. */
  columns: readonly OfferedColumn[]
  /** Why no further column can be shown; undefined while one can. */
  limit?: string | undefined
  onShow: (id: string, isShown: boolean) => void
  /** Moves a column to the position of another. */
  onMove: (id: string, over: string) => void
  onReset: () => void
}

/** A longer list would be unreadable: typing finds the rest. */
const maxOffered = 60
const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
]

/** The columns of a grid, those shown first. */
export function ColumnsList({ columns, limit, onShow, onMove, onReset }: ColumnsProperties) {
  const [find, setFind] = useState('')
  const [density, setDensity] = useDensity()
  const wanted = find.trim().toLowerCase()
  const found = columns.filter(({ title }) => title.toLowerCase().includes(wanted))
  const shown = found.filter(({ isShown }) => isShown)
  const others = found.filter(({ isShown }) => !isShown).slice(0, maxOffered)
  const left = found.length - shown.length - others.length
  return (
    <>
      <div className="border-b border-line p-2">
        <Input
          icon={Search}
          aria-label="Find a column"
          placeholder="Find a column"
          value={find}
          onChange={({ target }) => setFind(target.value)}
        />
      </div>
      <ul aria-label="Columns" className="min-h-0 grow overflow-auto p-1">
        {shown.map((column, at) => (
          <Item
            key={column.id}
            column={column}
            before={wanted === '' ? shown[at - 1]?.id : undefined}
            after={wanted === '' ? shown[at + 1]?.id : undefined}
            isDisabled={false}
            onShow={onShow}
            onMove={onMove}
          />
        ))}
        {others.length > 0 && shown.length > 0 && <li aria-hidden className="my-1 border-t border-line" />}
        {others.map((column) => (
          <Item key={column.id} column={column} isDisabled={limit !== undefined} onShow={onShow} onMove={onMove} />
        ))}
        {found.length === 0 && <li className="px-2 py-3 text-fg-3">No column matches.</li>}
        {left > 0 && <li className="px-2 py-1 text-xs text-fg-3">{`${left.toLocaleString('en')} more. Type to find them.`}</li>}
      </ul>
      {limit !== undefined && <p className="border-t border-line px-3 py-2 text-xs text-fg-3">{limit}</p>}
      <div className="flex items-center gap-2 border-t border-line p-2">
        <Segmented label="Row height" items={densities} value={density} onChange={(value) => setDensity(value as Density)} />
        <span className="grow" />
        <IconButton label="Reset columns" icon={RotateCcw} onClick={onReset} />
      </div>
    </>
  )
}

interface ItemProperties extends Pick<ColumnsProperties, 'onShow' | 'onMove'> {
  column: OfferedColumn
  before?: string | undefined
  after?: string | undefined
  isDisabled: boolean
}

/** Moved by dragging it, by Alt and the arrows on its box, or by its buttons. */
function Item({ column: { id, title, isShown, isFixed = false }, before, after, isDisabled, onShow, onMove }: ItemProperties) {
  const [isOver, setIsOver] = useState(false)
  function press(event: KeyboardEvent) {
    const over = event.altKey ? { ArrowUp: before, ArrowDown: after }[event.key] : undefined
    if (over === undefined) return
    event.preventDefault()
    onMove(id, over)
  }
  const drag = isShown && {
    draggable: true,
    onDragStart: (event: DragEvent) => event.dataTransfer.setData('text/x-heddle-column', id),
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('text/x-heddle-column')) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      setIsOver(false)
      const moved = event.dataTransfer.getData('text/x-heddle-column')
      if (moved !== '' && moved !== id) onMove(moved, id)
    },
  }
  return (
    <li
      {...drag}
      onKeyDown={press}
      className={cx('group/item flex min-h-7 items-center gap-1 rounded-sm pr-1 pl-1 pressable', isOver && 'bg-selected')}
    >
      <GripVertical size={13} aria-hidden className={cx('text-fg-3', !isShown && 'invisible')} />
      <span className="min-w-0 grow truncate" data-tip={title} data-place="left">
        <Checkbox label={title} checked={isShown} disabled={isFixed || (isDisabled && !isShown)} onChange={(isOn) => onShow(id, isOn)} />
      </span>
      {before !== undefined && (
        <IconButton label={`Move ${title} up`} icon={ChevronUp} className={moveClass} onClick={() => onMove(id, before)} />
      )}
      {after !== undefined && (
        <IconButton label={`Move ${title} down`} icon={ChevronDown} className={moveClass} onClick={() => onMove(id, after)} />
      )}
    </li>
  )
}

const moveClass = 'size-6 opacity-0 group-hover/item:opacity-100 focus-visible:opacity-100'
