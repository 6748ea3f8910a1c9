import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxConditions } from '../call-condition.ts'
import type { CallsSearch } from '../calls-search.ts'
import { FilterField, FilterProblemText } from './filter-field.tsx'
import { conditionsOfFilter, parseFilter } from './parse-filter.ts'
import { FilterProblem } from './read-tokens.ts'

interface Properties {
  project: string
  search: CallsSearch
  /** Fields that are offered beside the usual ones. */
  paths: readonly string[]
  change: (part: CallsSearch) => void
}

/** A filter as text, with offers for what comes next. What conditions alone can say becomes conditions. */
export function FilterText({ project, search, paths, change }: Properties) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(search.filter ?? '')
  const [problem, setProblem] = useState(() => problemOf(search.filter))
  useEffect(() => setText(search.filter ?? ''), [search.filter])

  function apply(event: FormEvent) {
    event.preventDefault()
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
  function write(next: string) {
    setText(next)
    setProblem(undefined)
  }

  return (
    <form className="row" onSubmit={apply}>
      <FilterField project={project} input={input} text={text} paths={paths} problem={problem} onText={write} />
      <button type="submit">Apply</button>
      <FilterProblemText problem={problem} />
    </form>
  )
}

/** What is wrong with a filter, such as that of an address. */
export function problemOf(filter: string | undefined): FilterProblem | undefined {
  try {
    if (filter !== undefined) parseFilter(filter)
    return undefined
  } catch (error) {
    if (error instanceof FilterProblem) return error
    throw error
  }
}
