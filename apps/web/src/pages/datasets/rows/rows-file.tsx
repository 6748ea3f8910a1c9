import {
  decodeText,
  detectEncoding,
  detectSeparator,
  type Encoding,
  encodings,
  encodingTitles,
  type Separator,
  separators,
  separatorTitles,
} from '@heddle/text-files'
import { useId, useState } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { toCell } from '../../../lib/texts/to-text.ts'
import { isCsv, maxFileBytes, type ParsedRows, parseRows, type Row } from './parse-rows.ts'
import { cellOf, columnsOf } from './row-columns.ts'
import { FormSelect } from '../../../ui/form-select.tsx'
import { ListTable } from '../../../ui/list-table.tsx'
import { Notice } from '../../../ui/notice.tsx'

interface Properties {
  /** Called with the rows of the file that was chosen, and again when it is read in another way; without any where it cannot be read. */
  onRows: (rows: Row[], fileName: string) => void
}

/** A file, and how it is read. */
interface ReadFile {
  name: string
  bytes: Uint8Array
  encoding: Encoding
  /** Undefined for a format without one. */
  separator: Separator | undefined
  parsed: ParsedRows
  /** Number of characters that are invalid in the encoding. */
  unread: number
}

/** Chooses a file of rows, and shows how it is read, to be changed before its rows are used. Errors name the line. */
export function RowsFile({ onRows }: Properties) {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const [file, setFile] = useState<ReadFile>()

  function take(read: ReadFile) {
    setFile(read)
    setProblem(read.parsed.status === 'refused' ? `"${read.name}" cannot be imported: ${read.parsed.problem}` : undefined)
    onRows(read.parsed.status === 'parsed' ? read.parsed.rows : [], read.name)
  }

  async function choose(chosen: File) {
    const { name, size } = chosen
    setFile(undefined)
    onRows([], name)
    if (size > maxFileBytes)
      setProblem(`"${name}" has ${Math.ceil(size / 2 ** 20)} MiB; at most ${maxFileBytes / 2 ** 20} MiB can be imported here`)
    else take(readFile(name, new Uint8Array(await chosen.arrayBuffer())))
  }

  return (
    <>
      <div>
        <label htmlFor={id} className="mb-1 block text-xs font-medium text-fg-2">
          File
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.json,.jsonl,.ndjson"
          aria-describedby={`${id}-note`}
          className="field block h-8 w-full pr-2 file:mr-3 file:h-full file:border-0 file:border-r file:border-line file:bg-sunken file:px-3 file:font-medium file:text-fg"
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            if (chosen) void choose(chosen).catch((error: unknown) => setProblem(String(error)))
          }}
        />
        <p id={`${id}-note`} className="mt-1 text-xs text-fg-3">
          CSV or TSV with a header line, JSON lines, or a JSON list of objects
        </p>
      </div>
      {file && <ReadAs file={file} onChange={take} />}
      {problem !== undefined && <Notice tone="error" title={problem} />}
    </>
  )
}

/** @param separator to use; detected by default */
function readFile(name: string, bytes: Uint8Array, encoding = detectEncoding(bytes), separator?: Separator): ReadFile {
  const { text, unread } = decodeText(bytes, encoding)
  const used = isCsv(name) ? (separator ?? detectSeparator(text)) : undefined
  return { name, bytes, encoding, separator: used, parsed: parseRows(name, text, used), unread }
}

/** How a file is read, and its first rows. */
function ReadAs({ file, onChange }: { file: ReadFile; onChange: (file: ReadFile) => void }) {
  const { name, bytes, encoding, separator, parsed, unread } = file
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-lg border border-line p-3">
      <legend className="max-w-full truncate px-1 text-xs font-medium text-fg-2">
        <bdi>{name}</bdi>
      </legend>
      <div className="flex flex-wrap gap-3">
        <FormSelect
          label="Encoding"
          choices={encodings.map((value) => ({ value, label: encodingTitles[value] }))}
          value={encoding}
          onChange={(value) => onChange(readFile(name, bytes, value as Encoding))}
        />
        {separator !== undefined && (
          <FormSelect
            label="Separator"
            choices={separators.map((value) => ({ value, label: separatorTitles[value] }))}
            value={separator}
            onChange={(value) => onChange(readFile(name, bytes, encoding, value as Separator))}
          />
        )}
      </div>
      {unread > 0 && (
        <Notice tone="warning" title={`${countText(unread, 'character is', 'characters are')} not valid in this encoding`}>
          {`They would be imported as \uFFFD. Choose another encoding.`}
        </Notice>
      )}
      {parsed.status === 'parsed' && <FirstRows rows={parsed.rows} />}
    </fieldset>
  )
}

const previewRows = 3

interface FirstRow {
  row: Row
  at: number
}

function FirstRows({ rows }: { rows: readonly Row[] }) {
  const shown = rows.slice(0, previewRows).map((row, at) => ({ row, at }))
  const { columns } = columnsOf(shown.map(({ row }) => row))
  return (
    <div className="-mx-3 -mb-3 overflow-hidden rounded-b-lg">
      <ListTable
        label="First rows of the file"
        rows={shown}
        rowId={({ at }: FirstRow) => String(at)}
        rowHeight={32}
        minWidth={Math.max(400, columns.length * 140)}
        columns={columns.map((column) => ({
          id: column,
          title: toCell(column, 40),
          // In a fragment, since an empty text is a value here: it has no dash.
          cell: ({ row }: FirstRow) => <>{toCell(cellOf(row, column) ?? '', 80)}</>,
        }))}
      />
    </div>
  )
}
