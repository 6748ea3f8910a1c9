import { useId, useState } from 'react'
import { maxFileBytes, parseRows, type Row } from './parse-rows.ts'

interface Properties {
  label: string
  onRows: (rows: Row[], fileName: string) => void
}

/** Chooses a file of rows and reads it. Errors name the line. */
export function RowsFile({ label, onRows }: Properties) {
  const id = useId()
  const [problem, setProblem] = useState<string>()

  async function read(file: File) {
    setProblem(undefined)
    if (file.size > maxFileBytes) {
      setProblem(`"${file.name}" has ${Math.ceil(file.size / 2 ** 20)} MiB; at most ${maxFileBytes / 2 ** 20} MiB can be imported here`)
      return
    }
    const parsed = parseRows(file.name, await file.text())
    if (parsed.status === 'refused') setProblem(`"${file.name}" cannot be imported: ${parsed.problem}`)
    else onRows(parsed.rows, file.name)
  }

  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.json,.jsonl,.ndjson"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void read(file).catch((error: unknown) => setProblem(String(error)))
        }}
      />
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
    </>
  )
}
