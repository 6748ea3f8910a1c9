import { type FormEvent, useState } from 'react'
import { maxConditions, operators, readValue } from './call-condition.ts'
import type { CallsSearch } from './calls-search.ts'

interface Properties {
  search: CallsSearch
  paths: readonly string[]
  change: (part: CallsSearch) => void
}

const usualPaths = ['op_name', 'display_name', 'started_at', 'trace_id', 'thread_id', 'exception', 'summary.weave.latency_ms']

/** Conditions on calls, and their order: one button for each condition that holds, and a form for another. */
export function FilterBar({ search, paths, change }: Properties) {
  const where = search.where ?? []
  return (
    <section aria-label="Filter">
      <div className="row">
        <button
          type="button"
          aria-pressed={search.level !== 'all'}
          onClick={() => change({ level: search.level === 'all' ? undefined : 'all' })}
        >
          Roots only
        </button>
        <button
          type="button"
          aria-pressed={search.status === 'error'}
          onClick={() => change({ status: search.status === 'error' ? undefined : 'error' })}
        >
          Errors only
        </button>
        <button
          type="button"
          aria-pressed={search.sort === 'slowest'}
          onClick={() => change({ sort: search.sort === 'slowest' ? undefined : 'slowest' })}
        >
          Slowest first
        </button>
        {where.map((condition, at) => {
          const text = `${condition.path} ${condition.operator} ${JSON.stringify(condition.value)}`
          const others = where.filter((_, other) => other !== at)
          return (
            <button
              key={text}
              type="button"
              aria-label={`Remove the condition ${text}`}
              onClick={() => change({ where: others.length > 0 ? others : undefined })}
            >
              {text} ×
            </button>
          )
        })}
      </div>
      {where.length < maxConditions && (
        <AddCondition paths={[...usualPaths, ...paths]} onAdd={(condition) => change({ where: [...where, condition] })} />
      )}
    </section>
  )
}

interface AddProperties {
  paths: readonly string[]
  onAdd: (condition: NonNullable<CallsSearch['where']>[number]) => void
}

function AddCondition({ paths, onAdd }: AddProperties) {
  const [path, setPath] = useState('')
  const [operator, setOperator] = useState<(typeof operators)[number]>('=')
  const [text, setText] = useState('')

  function add(event: FormEvent) {
    event.preventDefault()
    onAdd({ path: path.trim(), operator, value: readValue(text, operator) })
    setText('')
  }

  return (
    <form className="row" onSubmit={add}>
      <label htmlFor="condition-path">Condition</label>
      <input
        id="condition-path"
        list="condition-paths"
        placeholder="field, such as inputs.question"
        value={path}
        onChange={({ target }) => setPath(target.value)}
      />
      <datalist id="condition-paths">
        {[...new Set(paths)].map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <select
        aria-label="Comparison"
        value={operator}
        onChange={({ target }) => setOperator(operators.find((known) => known === target.value) ?? '=')}
      >
        {operators.map((known) => (
          <option key={known}>{known}</option>
        ))}
      </select>
      <input aria-label="Value" placeholder="text, 12, true or null" value={text} onChange={({ target }) => setText(target.value)} />
      <button type="submit" disabled={path.trim() === ''}>
        Add
      </button>
    </form>
  )
}
