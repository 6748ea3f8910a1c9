import type { EvaluationRun } from '@heddle/evaluations'
import { type FormEvent, useState } from 'react'
import { runLabels } from '../run-labels.ts'

interface Properties {
  text: string
  /** Id of the run whose trials it is about; undefined: any. */
  run: string | undefined
  runs: readonly EvaluationRun[]
  problem: string | undefined
  onFilter: (changed: { filter: string | undefined; filterIn: string | undefined }) => void
}

/** Reads only the rows whose trials a condition holds for. */
export function FilterRows({ text: given, run, runs, problem, onFilter }: Properties) {
  const [text, setText] = useState(given)
  const labels = runLabels(runs)
  const isUnknown = run !== undefined && !runs.some(({ id }) => id === run)
  function submit(event: FormEvent) {
    event.preventDefault()
    onFilter({ filter: text.trim() || undefined, filterIn: run })
  }
  return (
    <details open={given !== '' || run !== undefined}>
      <summary>Filter rows by an expression</summary>
      <form onSubmit={submit}>
        <label htmlFor="rows-filter">Only rows where</label>
        <input
          id="rows-filter"
          value={text}
          maxLength={4_000}
          placeholder={'scores.correct = false and outputs contains "sorry"'}
          aria-invalid={problem !== undefined}
          aria-describedby="rows-filter-help"
          onChange={({ target }) => setText(target.value)}
        />
        <div className="row">
          <label htmlFor="filter-run">in</label>
          <select
            id="filter-run"
            value={isUnknown ? '' : (run ?? '')}
            onChange={({ target }) => onFilter({ filter: text.trim() || undefined, filterIn: target.value || undefined })}
          >
            <option value="">any run</option>
            {runs.map(({ id }, at) => (
              <option key={id} value={id}>
                {at + 1}. {labels[at]}
              </option>
            ))}
          </select>
          <button type="submit">Filter</button>
          {given !== '' && (
            <button type="button" onClick={() => onFilter({ filter: undefined, filterIn: undefined })}>
              All rows
            </button>
          )}
        </div>
        <p id="rows-filter-help" className="muted">
          Fields: scores.(name), inputs, outputs, output and row_digest, each with a path. Joined by and, or, not and brackets. Means are of
          the rows that match.
        </p>
      </form>
      {problem !== undefined && (
        <p role="alert" className="problem">
          The filter cannot be read: {problem}. All rows are shown.
        </p>
      )}
      {isUnknown && <p className="notice">The run {run} of the filter is not among those compared; any of them counts.</p>}
    </details>
  )
}
