import { useState } from 'react'
import { Failure } from '../../../components/failure.tsx'
import { saveFile } from '../../../components/save-file.ts'
import type { ExportedMatrix } from './exported-matrix.ts'

const formats = {
  csv: { label: 'CSV', type: 'text/csv' },
  json: { label: 'JSON', type: 'application/json' },
  html: { label: 'HTML page', type: 'text/html' },
} as const
type Format = keyof typeof formats

/** Saves the rows that are shown as a file: for a spreadsheet, for a program, or as a page for people without an account. */
export function ExportMatrix({ matrix, title }: { matrix: ExportedMatrix; title: string }) {
  const [error, setError] = useState<unknown>(null)
  async function save(format: Format) {
    const text = await write(matrix, title, format)
    saveFile({ name: `${title}.${format}`, type: formats[format].type, text })
  }
  return (
    <div className="row" role="group" aria-label="Export the rows shown">
      <span className="muted">Export the {matrix.rows.length.toLocaleString('en')} rows shown as</span>
      {Object.entries(formats).map(([format, { label }]) => (
        <button
          key={format}
          type="button"
          onClick={() => {
            setError(null)
            save(format as Format).catch(setError)
          }}
        >
          {label}
        </button>
      ))}
      <Failure error={error} before="Not exported." />
    </div>
  )
}

/** What writes a file is loaded when one is asked for. */
async function write(matrix: ExportedMatrix, title: string, format: Format): Promise<string> {
  if (format === 'csv') return (await import('./matrix-csv.ts')).toCsv(matrix)
  if (format === 'json') return (await import('./exported-matrix.ts')).toJson(matrix)
  return (await import('./matrix-html.ts')).toHtml(matrix, title, new Date().toISOString())
}
