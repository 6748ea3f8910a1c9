import type { EvaluationRun } from '@heddle/evaluations'
import { type FormEvent, useState } from 'react'
import { runLabels } from '../run-labels.ts'
import { maxRunFilters, type RunFilter } from './rows-filter.ts'

interface Changed {
  filter: string | undefined
  filterIn: string | undefined
  filters: RunFilter[] | undefined
}

interface Properties {
  text: string
  /** Id of the run whose trials it is about; undefined: any. */
  run: string | undefined
  /** Conditions that must hold as well. */
  further: readonly RunFilter[] | undefined
  runs: readonly EvaluationRun[]
  problem: string | undefined
  onFilter: (changed: Changed) => void
}

const placeholder = 'scores.correct = false and outputs contains "sorry"'

/** Reads only the rows whose trials a condition holds for, or one on each of several runs. */
export function FilterRows({ text: given, run, further = [], runs, problem, onFilter }: Properties) {
  const [text, setText] = useState(given)
  const [added, setAdded] = useState<readonly RunFilter[]>(further)
  const labels = runLabels(runs)
  const isUnknown = (id: string) => !runs.some((one) => one.id === id)
  const unknown = further.map(({ in: id }) => id).filter(isUnknown)
  const hasFilter = given !== '' || further.length > 0
  function filterBy(filterIn: string | undefined, lines: readonly RunFilter[]) {
    const filters = lines.filter(({ filter }) => filter.trim() !== '').map((line) => ({ ...line, filter: line.filter.trim() }))
    onFilter({ filter: text.trim() || undefined, filterIn, filters: filters.length > 0 ? filters : undefined })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    filterBy(run, added)
  }
  const change = (at: number, changed: Partial<RunFilter>) => added.map((line, place) => (place === at ? { ...line, ...changed } : line))
  const options = runs.map(({ id }, at) => (
    <option key={id} value={id}>
      {at + 1}. {labels[at]}
    </option>
  ))
  return (
    <details open={hasFilter || run !== undefined}>
      <summary>Filter rows by an expression</summary>
      <form onSubmit={submit}>
        <label htmlFor="rows-filter">Only rows where</label>
        <input
          id="rows-filter"
          value={text}
          maxLength={4_000}
          placeholder={placeholder}
          aria-invalid={problem !== undefined}
          aria-describedby="rows-filter-help"
          onChange={({ target }) => setText(target.value)}
        />
        <div className="row">
          <label htmlFor="filter-run">in</label>
          <select
            id="filter-run"
            value={run === undefined || isUnknown(run) ? '' : run}
            onChange={({ target }) => filterBy(target.value || undefined, added)}
          >
            <option value="">any run</option>
            {options}
          </select>
        </div>
        {added.map((line, at) => (
          // Lines are told apart by their place alone.
          <fieldset key={at} aria-label={`Condition ${at + 2}`}>
            <label htmlFor={`and-where-${at}`}>and where</label>
            <input
              id={`and-where-${at}`}
              value={line.filter}
              maxLength={4_000}
              placeholder={placeholder}
              onChange={({ target }) => setAdded(change(at, { filter: target.value }))}
            />
            <div className="row">
              <label htmlFor={`and-in-${at}`}>in the run</label>
              <select
                id={`and-in-${at}`}
                value={isUnknown(line.in) ? '' : line.in}
                onChange={({ target }) => setAdded(change(at, { in: target.value }))}
              >
                {isUnknown(line.in) && <option value="">that is not compared</option>}
                {options}
              </select>
              <button type="button" onClick={() => setAdded(added.toSpliced(at, 1))}>
                Remove this condition
              </button>
            </div>
          </fieldset>
        ))}
        <div className="row">
          <button type="submit">Filter</button>
          {added.length < maxRunFilters && (
            <button type="button" onClick={() => setAdded([...added, { in: runs[added.length + 1]?.id ?? runs[0]?.id ?? '', filter: '' }])}>
              Add a condition on another run
            </button>
          )}
          {hasFilter && (
            <button type="button" onClick={() => onFilter({ filter: undefined, filterIn: undefined, filters: undefined })}>
              All rows
            </button>
          )}
        </div>
        <p id="rows-filter-help" className="muted">
          Fields: scores.(name), inputs, outputs, output and row_digest, each with a path. Joined by and, or, not and brackets. Conditions
          on several runs must all hold. Means are of the rows that match.
        </p>
      </form>
      {problem !== undefined && (
        <p role="alert" className="problem">
          The filter cannot be read: {problem}. All rows are shown.
        </p>
      )}
      {run !== undefined && isUnknown(run) && (
        <p className="notice">The run {run} of the filter is not among those compared; any of them counts.</p>
      )}
      {unknown.length > 0 && (
        <p className="notice">The condition on {unknown.join(' and ')} does not count: that is not a run of those compared.</p>
      )}
    </details>
  )
}
