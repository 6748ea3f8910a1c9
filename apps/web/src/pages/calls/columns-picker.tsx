import { type FormEvent, useState } from 'react'
import { type CallsSearch, hideableColumns, type HideableColumn } from './calls-search.ts'

interface Properties {
  /** Usual columns that are not shown. */
  hidden: readonly HideableColumn[]
  columns: readonly string[]
  /** Paths that the calls so far have. */
  paths: readonly string[]
  change: (part: CallsSearch) => void
}

/** Adds columns from the fields that were seen, moves and removes them, and hides usual ones. */
export function ColumnsPicker({ hidden, columns, paths, change }: Properties) {
  const setColumns = (next: string[]) => change({ columns: next.length > 0 ? next : undefined })
  return (
    <>
      <AddColumn paths={paths.filter((path) => !columns.includes(path))} onAdd={(path) => setColumns([...columns, path])} />
      {columns.map((path, at) => (
        <span key={path}>
          {at > 0 && (
            <button type="button" aria-label={`Move the column ${path} to the left`} onClick={() => setColumns(movedLeft(columns, at))}>
              ←
            </button>
          )}
          <button
            type="button"
            aria-label={`Remove the column ${path}`}
            onClick={() => setColumns(columns.filter((other) => other !== path))}
          >
            {path} ×
          </button>
        </span>
      ))}
      <UsualColumns hidden={hidden} change={change} />
    </>
  )
}

/** Finds a field of the calls so far by a part of its path. */
function AddColumn({ paths, onAdd }: { paths: readonly string[]; onAdd: (path: string) => void }) {
  const [text, setText] = useState('')
  const path = text.trim()

  function add(event: FormEvent) {
    event.preventDefault()
    if (!paths.includes(path)) return
    onAdd(path)
    setText('')
  }

  return (
    <form className="row" onSubmit={add}>
      <label htmlFor="add-column">Add a column</label>
      <input
        id="add-column"
        list="fields-to-add"
        placeholder="a part of a field"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id="fields-to-add">
        {paths.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="submit" disabled={!paths.includes(path)}>
        Add
      </button>
    </form>
  )
}

/** A column changes places with the one on its left. */
const movedLeft = (columns: readonly string[], at: number) =>
  columns.map((column, place) => (place === at ? columns[at - 1]! : place === at - 1 ? columns[at]! : column))

function UsualColumns({ hidden, change }: Pick<Properties, 'hidden' | 'change'>) {
  const toggle = (column: HideableColumn) => {
    const next = hideableColumns.filter((one) => (one === column) !== hidden.includes(one))
    change({ hidden: next.length > 0 ? next : undefined })
  }
  return (
    <details>
      <summary>{hidden.length === 0 ? 'Usual columns' : `Usual columns, ${hidden.length} hidden`}</summary>
      <fieldset className="row">
        <legend>Shown beside the name</legend>
        {hideableColumns.map((column) => (
          <label key={column}>
            <input type="checkbox" checked={!hidden.includes(column)} onChange={() => toggle(column)} /> {column}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
