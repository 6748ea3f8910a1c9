import { Download } from 'lucide-react'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { ExportedMatrix } from './exported-matrix.ts'

const formats = {
  csv: { label: 'CSV', type: 'text/csv' },
  json: { label: 'JSON', type: 'application/json' },
  html: { label: 'HTML report', type: 'text/html' },
} as const
type Format = keyof typeof formats

/** Saves the listed rows as a file: for a spreadsheet, for a program, or as a page for readers without an account. */
export function ExportMenu({ matrix, title }: { matrix: ExportedMatrix; title: string }) {
  async function save(format: Format) {
    const text = await write(matrix, title, format)
    saveFile({ name: `${title}.${format}`, type: formats[format].type, text })
  }
  return (
    <Menu label="Export" trigger={<Button icon={Download}>Export</Button>}>
      {Object.entries(formats).map(([format, { label }]) => (
        <MenuItem
          key={format}
          note={`${matrix.rows.length.toLocaleString('en')} rows`}
          onClick={() => void save(format as Format).catch((error: unknown) => toast({ tone: 'error', title: 'Not exported', error }))}
        >
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** The code that writes a file is loaded on demand. */
async function write(matrix: ExportedMatrix, title: string, format: Format): Promise<string> {
  if (format === 'csv') return (await import('./matrix-csv.ts')).toCsv(matrix)
  if (format === 'json') return (await import('./exported-matrix.ts')).toJson(matrix)
  return (await import('./matrix-html.ts')).toHtml(matrix, title, new Date().toISOString())
}
