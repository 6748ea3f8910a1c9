import { Columns3 } from 'lucide-react'
import { Fold } from '../../../ui/fold.tsx'
import { Input } from '../../../ui/field.tsx'
import { type DatasetColumn, maxColumns } from './row-of-call.ts'

interface Properties {
  columns: readonly DatasetColumn[]
  /** Fields that the list has no room for. */
  leftOut: number
  /** Of how many calls the fields are, where it is not of all. */
  sampled?: number | undefined
  onChange: (columns: DatasetColumn[]) => void
}

/** Maps fields of calls to columns of a dataset. */
export function ChooseColumns({ columns, leftOut, sampled, onChange }: Properties) {
  const rename = (at: number, name: string) => onChange(columns.map((column, place) => (place === at ? { ...column, name } : column)))
  const used = columns.filter(({ name }) => name.trim() !== '')
  return (
    <Fold icon={Columns3} title={`Columns: ${used.map(({ name }) => name.trim()).join(', ') || 'none'}`}>
      <p className="text-xs text-fg-3">A field without a column is left out.</p>
      {sampled !== undefined && <p className="text-xs text-fg-3">{`Fields of the first ${sampled} calls.`}</p>}
      {leftOut > 0 && (
        <p className="text-xs text-amber-text">{`The first ${maxColumns} fields are here; ${leftOut} more are not added. Use the API for calls of so many.`}</p>
      )}
      <ul className="mt-2 grid gap-1.5">
        {columns.map(({ path, name }, at) => (
          <li key={path} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-2">
            <span className="mono truncate text-fg-2" data-tip={path} data-cut="">
              {path}
            </span>
            <Input
              aria-label={`Column for ${path}`}
              value={name}
              maxLength={256}
              placeholder="Left out"
              onChange={({ target }) => rename(at, target.value)}
            />
          </li>
        ))}
      </ul>
    </Fold>
  )
}
