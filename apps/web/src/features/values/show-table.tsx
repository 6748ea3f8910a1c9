import { isJsonNumber } from '@heddle/json/exact'
import { useState } from 'react'
import { toCell } from '../../lib/texts/to-text.ts'
import type { FlatTable } from './flat-table.ts'
import { Button } from '../../ui/button.tsx'

const rowsAtOnce = 50
const cellCharacters = 300

/** An array of flat objects as a table, some rows at a time. */
export function ShowTable({ label, table: { columns, rows } }: { label: string; table: FlatTable }) {
  const [shown, setShown] = useState(rowsAtOnce)
  return (
    <>
      <div className="scroll" tabIndex={0} role="region" aria-label={`Table of ${label}`}>
        <table>
          <caption className="muted">{`${label}, ${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'row' : 'rows'}`}</caption>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, at) => (
              // Rows keep their order in a value, so the index is a stable key.
              <tr key={String(at)}>
                {columns.map((name) => (
                  <td key={name} className={typeof row[name] === 'number' || isJsonNumber(row[name]) ? 'number' : undefined}>
                    {Object.hasOwn(row, name) ? toCell(row[name], cellCharacters) : ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown < rows.length && (
        <Button onClick={() => setShown(shown + rowsAtOnce * 10)}>
          {`Show more of the other ${(rows.length - shown).toLocaleString('en')} rows`}
        </Button>
      )}
    </>
  )
}
