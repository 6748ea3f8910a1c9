import { type DatasetColumn, maxColumns } from './row-of-call.ts'

interface Properties {
  columns: readonly DatasetColumn[]
  /** Fields that the list has no room for. */
  leftOut: number
  onChange: (columns: DatasetColumn[]) => void
}

/** Into which column of a dataset each field of calls goes. */
export function ChooseColumns({ columns, leftOut, onChange }: Properties) {
  const rename = (at: number, name: string) => onChange(columns.map((column, place) => (place === at ? { ...column, name } : column)))
  const used = columns.filter(({ name }) => name.trim() !== '')
  return (
    <details>
      <summary>{`Columns: ${used.map(({ name }) => name.trim()).join(', ') || 'none'}`}</summary>
      <p className="muted">A field without a column is left out.</p>
      {leftOut > 0 && (
        <p className="notice">{`The first ${maxColumns} fields are here; ${leftOut} more are not added. Use the API for calls of so many.`}</p>
      )}
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Field of the call</th>
              <th scope="col">Column of the dataset</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ path, name }, at) => (
              <tr key={path}>
                <td>{path}</td>
                <td>
                  <input
                    aria-label={`Column for ${path}`}
                    value={name}
                    maxLength={256}
                    onChange={({ target }) => rename(at, target.value)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
