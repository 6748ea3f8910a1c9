import type { CallsSearch } from './calls-search.ts'

interface Properties {
  columns: readonly string[]
  /** Paths that the calls so far have. */
  paths: readonly string[]
  change: (part: CallsSearch) => void
}

/** Adds columns from the fields that were seen, and removes them. */
export function ColumnsPicker({ columns, paths, change }: Properties) {
  const setColumns = (next: string[]) => change({ columns: next.length > 0 ? next : undefined })
  return (
    <>
      <label htmlFor="add-column">Add a column</label>
      <select id="add-column" value="" onChange={({ target }) => setColumns([...columns, target.value])}>
        <option value="">choose a field …</option>
        {paths
          .filter((path) => !columns.includes(path))
          .map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
      </select>
      {columns.map((path) => (
        <button
          key={path}
          type="button"
          aria-label={`Remove the column ${path}`}
          onClick={() => setColumns(columns.filter((other) => other !== path))}
        >
          {path} ×
        </button>
      ))}
    </>
  )
}
