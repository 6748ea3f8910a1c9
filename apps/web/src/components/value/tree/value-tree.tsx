import './value-tree.css'
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import { CopyButton } from '../../copy-button.tsx'
import { toCell, toText } from '../../to-text.ts'
import { useRows } from '../../use-rows.ts'
import { findInTree, maxRows, type TreeRow, treeRows } from './tree-rows.ts'

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
  const { virtual, onKeyDown } = useRows({ count: rows.length, rowHeight, scroll, chosen, onChoose: setChosen })
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
      <div className="row">
        <label htmlFor={`find-in-${path}`}>Find</label>
        <input
          id={`find-in-${path}`}
          placeholder="a name or a part of a text"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setToggled(new Set())
            setChosen(-1)
          }}
        />
        {search && <span role="status">{foundText(search.found.size)}</span>}
        {row && (
          <>
            <CopyButton key={`path ${row.path}`} title="Copy path" text={() => row.path} />
            <CopyButton key={`value ${row.path}`} title="Copy value" text={() => toText(row.value)} />
          </>
        )}
      </div>
      <div
        ref={scroll}
        className="grid-rows"
        role="tree"
        aria-label={label}
        aria-activedescendant={row === undefined ? undefined : idOf(chosen)}
        tabIndex={0}
        onKeyDown={press}
      >
        <div className="grid-body" role="none" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
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
                title={one.path}
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
      {hasMore && <p className="notice">{`These are the first ${maxRows.toLocaleString('en')} rows; the text has the others.`}</p>}
    </div>
  )
}

function MemberText({ row: { value, size, isList } }: { row: TreeRow }) {
  if (size !== null) return <span className="muted">{`${isList ? '[ ]' : '{ }'} ${size.toLocaleString('en')}`}</span>
  return (
    <span className={typeof value === 'string' ? 'value-text' : 'value-text number'}>{toCell(JSON.stringify(value), shownCharacters)}</span>
  )
}

function foundText(count: number): string {
  return count === maxFound ? `the first ${count.toLocaleString('en')} found` : `${count.toLocaleString('en')} found`
}
