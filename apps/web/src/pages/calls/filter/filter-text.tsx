import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxConditions } from '../call-condition.ts'
import type { CallsSearch } from '../calls-search.ts'
import { FilterInput } from './filter-input.tsx'
import { conditionsOfFilter, parseFilter } from './parse-filter.ts'
import { FilterProblem } from './read-tokens.ts'

interface Properties {
  project: string
  search: CallsSearch
  /** Fields that are offered. */
  paths: readonly string[]
  change: (part: CallsSearch) => void
}

/** A filter as text, with offers for what comes next. What conditions alone can say becomes conditions. */
export function FilterText({ project, search, paths, change }: Properties) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(search.filter ?? '')
  const [problem, setProblem] = useState(() => problemOf(search.filter))
  const [cursor, setCursor] = useState<number>()
  useEffect(() => setText(search.filter ?? ''), [search.filter])

  function apply(event: FormEvent) {
    event.preventDefault()
    setCursor(undefined)
    try {
      const typed = text.trim()
      const conditions = typed === '' ? [] : conditionsOfFilter(parseFilter(typed))
      const where = [...(search.where ?? []), ...(conditions ?? [])]
      const fits = conditions !== undefined && where.length <= maxConditions
      change(fits ? { where: where.length > 0 ? where : undefined, filter: undefined } : { filter: typed })
      if (fits) setText('')
    } catch (error) {
      if (!(error instanceof FilterProblem)) throw error
      setProblem(error)
      input.current?.setSelectionRange(error.at, text.length)
    }
  }
  function write(next: string, at: number) {
    setText(next)
    setProblem(undefined)
    setCursor(at)
  }

  return (
    <form className="row" onSubmit={apply}>
      <label htmlFor="filter-text">Filter</label>
      <FilterInput
        project={project}
        input={input}
        text={text}
        cursor={cursor}
        paths={paths}
        problem={problem}
        write={write}
        leave={() => setCursor(undefined)}
      />
      <button type="submit">Apply</button>
      {problem && (
        <p id="filter-problem" role="alert" className="problem">
          {problem.message}, at character {problem.at + 1}
        </p>
      )}
    </form>
  )
}

/** What is wrong with the filter of an address, which leaves all calls selected. */
function problemOf(filter: string | undefined): FilterProblem | undefined {
  try {
    if (filter !== undefined) parseFilter(filter)
    return undefined
  } catch (error) {
    if (error instanceof FilterProblem) return error
    throw error
  }
}
