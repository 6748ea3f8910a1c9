import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { maxConditions } from '../call-condition.ts'
import type { CallsSearch } from '../calls-search.ts'
import { type Completion, completionAt, offersFor, withOffer } from './complete-filter.ts'
import { valuesQuery } from './filter-queries.ts'
import { conditionsOfFilter, maxFilterCharacters, parseFilter, pathText } from './parse-filter.ts'
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

interface InputProperties {
  project: string
  input: React.RefObject<HTMLInputElement | null>
  text: string
  /** Where offers are asked for; undefined while none are. */
  cursor: number | undefined
  paths: readonly string[]
  problem: FilterProblem | undefined
  write: (text: string, cursor: number) => void
  leave: () => void
}

function FilterInput({ project, input, text, cursor, paths, problem, write, leave }: InputProperties) {
  const [active, setActive] = useState(-1)
  const place = cursor === undefined ? undefined : completionAt(text, cursor)
  const values = useQuery(valuesQuery(project, place?.expects === 'value' ? place.path : ''))
  const offers = place ? offersFor(place, { paths: paths.map(pathText), values: values.data ?? [] }) : []
  // React writes the text after the offer was taken; the cursor follows it.
  useEffect(() => {
    if (cursor !== undefined && document.activeElement === input.current) input.current?.setSelectionRange(cursor, cursor)
  }, [text, cursor, input])

  function take(offer: string, at: Completion) {
    const next = withOffer(text, cursor ?? text.length, at, offer)
    setActive(-1)
    write(next.text, next.cursor)
    input.current?.focus()
  }
  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const offer = offers[active]
    if (step !== undefined && offers.length > 0) {
      event.preventDefault()
      setActive(Math.max(-1, Math.min(offers.length - 1, active + step)))
    } else if (event.key === 'Enter' && offer !== undefined && place) {
      event.preventDefault()
      take(offer, place)
    } else if (event.key === 'Escape' && place) {
      event.preventDefault()
      leave()
    }
  }
  const chosen = Math.min(active, offers.length - 1)
  return (
    <div className="completed">
      <input
        id="filter-text"
        ref={input}
        role="combobox"
        aria-expanded={offers.length > 0}
        aria-controls={offers.length > 0 ? 'filter-offers' : undefined}
        aria-activedescendant={chosen >= 0 ? `filter-offer-${chosen}` : undefined}
        aria-autocomplete="list"
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? 'filter-problem' : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxFilterCharacters}
        placeholder={'summary.weave.latency_ms > 500 and inputs.question contains "weather"'}
        value={text}
        onKeyDown={press}
        onFocus={({ target }) => write(text, target.selectionStart ?? text.length)}
        onBlur={leave}
        onChange={({ target }) => {
          setActive(-1)
          write(target.value, target.selectionStart ?? target.value.length)
        }}
      />
      {place && offers.length > 0 && (
        <ul id="filter-offers" role="listbox" aria-label={`Offers: ${place.expects}`} className="go-to-list offers">
          {offers.map((offer, at) => (
            <li
              key={offer}
              id={`filter-offer-${at}`}
              role="option"
              aria-selected={at === chosen}
              // Before the field is left, which would take the offers away.
              onMouseDown={(event) => {
                event.preventDefault()
                take(offer, place)
              }}
            >
              {offer}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
