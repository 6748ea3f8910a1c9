import './value-tree.css'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { jsonText, toCell, toText } from '../../../lib/texts/to-text.ts'
import { useRows } from '../../../ui/table/use-rows.ts'
import { findInTree, maxRows, type TreeRow, treeRows } from './tree-rows.ts'
import { Input } from '../../../ui/field.tsx'

const rowHeight = 26
const indentPx = 16
const shownCharacters = 300
const maxFound = 1_000
const openAtFirst = 2

/** A value as a tree whose members open and close, can be found, and be copied with their paths. */
export function ValueTree({ value, label, path }: { value: unknown; label: string; path: string }) {
  const scroll = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(-1)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set<string>())
  const [text, setText] = useState('')
  // Typing continues while a large value is looked through.
  const words = useDeferredValue(text.trim())
  const search = useMemo(() => (words === '' ? undefined : findInTree(value, { path, words, limit: maxFound })), [value, path, words])
  const { rows, hasMore, isOpen } = useMemo(() => {
    const isWanted = (row: TreeRow) =>
      (search === undefined ? row.depth < openAtFirst : search.above.has(row.path)) !== toggled.has(row.path)
    return { ...treeRows(value, { path, isOpen: isWanted }), isOpen: isWanted }
  }, [value, path, search, toggled])
  const { rows: drawn, total, onKeyDown } = useRows({ count: rows.length, rowHeight, scroll, chosen, onChoose: setChosen })
  const row = rows[chosen]

  function toggle({ path: at }: TreeRow) {
    const next = new Set(toggled)
    if (!next.delete(at)) next.add(at)
    setToggled(next)
  }

  function press(event: KeyboardEvent) {
    onKeyDown(event)
    if (event.target !== event.currentTarget || row === undefined || row.size === null) return
    const opens = event.key === 'ArrowRight' || (event.key === 'Enter' && !isOpen(row))
    const closes = event.key === 'ArrowLeft' || (event.key === 'Enter' && isOpen(row))
    if ((opens && !isOpen(row)) || (closes && isOpen(row))) {
      event.preventDefault()
      toggle(row)
    }
  }

  const idOf = (at: number) => `${path}-row-${at}`
  return (
    <div className="value-tree">
      <div className="mb-2 flex min-h-7 flex-wrap items-center gap-2">
        <Input
          icon={Search}
          className="h-7! w-56 min-w-0"
          aria-label="Find"
          placeholder="Name or text"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setToggled(new Set())
            setChosen(-1)
          }}
        />
        {search && (
          <span role="status" className="num text-xs text-fg-3">
            {foundText(search.found.size)}
          </span>
        )}
        {row && (
          <>
            <CopyButton key={`path ${row.path}`} look="text" label="Copy path" text={() => row.path} />
            <CopyButton key={`value ${row.path}`} look="text" label="Copy value" text={() => toText(row.value)} />
          </>
        )}
      </div>
      <div
        ref={scroll}
        className="relative max-h-112 overflow-auto rounded-lg border border-line bg-sunken -outline-offset-2"
        role="tree"
        aria-label={label}
        aria-activedescendant={row === undefined ? undefined : idOf(chosen)}
        tabIndex={0}
        onKeyDown={press}
      >
        <div className="relative" role="none" style={{ height: total }}>
          {drawn.map(({ index, start }) => {
            const one = rows[index]!
            return (
              <div
                key={one.path}
                id={idOf(index)}
                role="treeitem"
                aria-level={one.depth + 1}
                aria-selected={index === chosen}
                aria-expanded={one.size === null ? undefined : isOpen(one)}
                className={index === chosen ? 'value-row chosen' : 'value-row'}
                style={{ transform: `translateY(${start}px)`, paddingLeft: (one.depth + 1) * indentPx }}
                data-tip={one.path}
                onClick={() => {
                  setChosen(index)
                  if (one.size !== null) toggle(one)
                }}
              >
                {one.size !== null && (
                  <span aria-hidden="true" className="value-fold">
                    {isOpen(one) ? '▾' : '▸'}
                  </span>
                )}
                <span className={search?.found.has(one.path) ? 'value-name found' : 'value-name'}>{one.name}</span>
                <MemberText row={one} />
              </div>
            )
          })}
        </div>
      </div>
      {hasMore && (
        <p className="mt-2 text-xs text-fg-3">{`These are the first ${maxRows.toLocaleString('en')} rows; the text has the others.`}</p>
      )}
    </div>
  )
}

function MemberText({ row: { value, size, isList } }: { row: TreeRow }) {
  if (size !== null) return <span className="text-fg-3">{`${isList ? '[ ]' : '{ }'} ${size.toLocaleString('en')}`}</span>
  return <span className={typeof value === 'string' ? 'value-text' : 'value-text number'}>{toCell(jsonText(value), shownCharacters)}</span>
}

function foundText(count: number): string {
  return count === maxFound ? `the first ${count.toLocaleString('en')} found` : `${count.toLocaleString('en')} found`
}
