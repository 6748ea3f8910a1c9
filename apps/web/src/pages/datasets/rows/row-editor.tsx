import { useState } from 'react'
import { LongText } from '../../../components/long-text.tsx'
import { toText } from '../../../components/to-text.ts'
import { isRow, type Row } from './parse-rows.ts'

interface Properties {
  place: number
  value: Row
  isRemoved: boolean
  onChange: (row: Row) => void
  onRemove: () => void
}

/** One row whole, and its change as JSON. */
export function RowEditor({ place, value, isRemoved, onChange, onRemove }: Properties) {
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState<string>()

  function apply() {
    const row = readRow(text ?? '')
    if (typeof row === 'string') setProblem(row)
    else {
      onChange(row)
      setText(undefined)
      setProblem(undefined)
    }
  }

  return (
    <section aria-labelledby="row-title">
      <h2 id="row-title">
        Row {place}
        {isRemoved ? ', to be removed' : ''}
      </h2>
      {text === undefined ? (
        <>
          <LongText text={toText(value)} label={`Row ${place}`} />
          <div className="row">
            <button type="button" onClick={() => setText(toText(value))}>
              Edit row
            </button>
            <button type="button" onClick={onRemove}>
              {isRemoved ? 'Keep row' : 'Remove row'}
            </button>
          </div>
        </>
      ) : (
        <>
          <label htmlFor="row-json">Row as JSON</label>
          <textarea id="row-json" rows={10} value={text} onChange={({ target }) => setText(target.value)} />
          {problem !== undefined && (
            <p role="alert" className="problem">
              {problem}
            </p>
          )}
          <div className="row">
            <button type="button" className="primary" onClick={apply}>
              Change row
            </button>
            <button
              type="button"
              onClick={() => {
                setText(undefined)
                setProblem(undefined)
              }}
            >
              Cancel
            </button>
          </div>
        </>
      )}
    </section>
  )
}

/** The row, or what is wrong with the text. */
function readRow(text: string): Row | string {
  try {
    const value: unknown = JSON.parse(text)
    return isRow(value) ? value : 'A row must be a JSON object: { "column": value }'
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
