import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { QueryProblem } from '../../../components/query-problem.tsx'
import type { CallsSearch } from '../calls-search.ts'
import { rangeTitles } from '../range-titles.ts'
import { isTotal, type LeastTotals, totals, totalsText } from './least-totals.ts'
import { maxTraces, tracesQuery } from './totals-query.ts'

interface Properties {
  project: string
  search: CallsSearch
  change: (part: CallsSearch) => void
}

/** Chooses calls by what the traces that they belong to come to in all. */
export function TotalsForm({ project, search, change }: Properties) {
  return (
    <>
      <details>
        <summary>Traces by their totals</summary>
        <Fields key={JSON.stringify(search.traces)} least={search.traces ?? {}} onApply={(traces) => change({ traces })} />
      </details>
      {search.traces !== undefined && <Chosen project={project} search={search} least={search.traces} change={change} />}
    </>
  )
}

function Fields({ least, onApply }: { least: LeastTotals; onApply: (least: LeastTotals | undefined) => void }) {
  const [texts, setTexts] = useState<Partial<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(least).map(([name, value]) => [name, String(value)])),
  )
  const given = totals.filter(({ name }) => (texts[name] ?? '').trim() !== '')
  const wrong = given.filter(({ name }) => !isTotal(name, Number(texts[name])))
  function submit(event: FormEvent) {
    event.preventDefault()
    const next: LeastTotals = Object.fromEntries(given.map(({ name }) => [name, Number(texts[name])]))
    onApply(given.length > 0 ? next : undefined)
  }
  return (
    <form className="row" onSubmit={submit}>
      <span>At least</span>
      {totals.map(({ name, title }) => (
        <label key={name} className="total">
          <input
            inputMode="decimal"
            size={7}
            aria-invalid={wrong.some((one) => one.name === name)}
            value={texts[name] ?? ''}
            onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
          />{' '}
          {title}
        </label>
      ))}
      <button type="submit" disabled={wrong.length > 0}>
        Show these traces
      </button>
      {wrong.length > 0 && (
        <span role="alert">{`Write a number from 0 for ${wrong.map(({ title }) => title).join(', ')}; counts are whole.`}</span>
      )}
    </form>
  )
}

/** Which traces are chosen, and what of them is left out. */
function Chosen({ project, search, least, change }: Properties & { least: LeastTotals }) {
  const query = useQuery(tracesQuery(project, search))
  const text = totalsText(least)
  return (
    <>
      <p className="row">
        <button type="button" aria-label={`Remove the condition ${text}`} onClick={() => change({ traces: undefined })}>
          {text} ×
        </button>
        <span className="muted">{`Totals of the traces that started in the last ${rangeTitles[search.range ?? '7d']}, which the range above chooses.`}</span>
      </p>
      {query.data?.hasMore === true && (
        <p className="notice">
          {`The newest ${maxTraces.toLocaleString('en')} such traces are shown; there are more. Choose a shorter range or larger sums.`}
        </p>
      )}
      {query.error && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
    </>
  )
}
