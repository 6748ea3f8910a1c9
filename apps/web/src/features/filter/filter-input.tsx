import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { callFields, pathOfField } from './calls-filter.ts'
import { type Completion, completionAt, offersFor, withOffer } from './complete-filter.ts'
import { valuesQuery } from './filter-queries.ts'
import { maxFilterCharacters, pathText } from './parse-filter.ts'
import type { FilterProblem } from './read-tokens.ts'

interface Properties {
  project: string
  input: React.RefObject<HTMLInputElement | null>
  text: string
  /** Fields that are suggested in addition to the usual ones. */
  paths: readonly string[]
  problem: FilterProblem | undefined
  placeholder: string
  onText: (text: string) => void
}

const usualPaths = [
  ...callFields,
  'op_name',
  'display_name',
  'started_at',
  'trace_id',
  'thread_id',
  'exception',
  'summary.weave.latency_ms',
]
const titles: Record<Completion['expects'], string> = { field: 'Fields', comparison: 'Comparisons', value: 'Values', joint: 'And, or' }

/** The text of a filter, with suggestions at the cursor. */
export function FilterInput({ project, input, text, paths, problem, placeholder, onText }: Properties) {
  const [active, setActive] = useState(-1)
  // Position for which suggestions are requested; undefined while there are none.
  const [cursor, setCursor] = useState<number>()
  const place = cursor === undefined ? undefined : completionAt(text, cursor)
  const values = useQuery(valuesQuery(project, place?.expects === 'value' ? pathOfField(place.path) : ''))
  const known = [...new Set([...usualPaths, ...paths])].map(pathText)
  const offers = place ? offersFor(place, { paths: known, values: values.data ?? [] }) : []
  // React writes the text after the offer was taken; the cursor follows it.
  useEffect(() => {
    if (cursor !== undefined && document.activeElement === input.current) input.current?.setSelectionRange(cursor, cursor)
  }, [text, cursor, input])

  const leave = () => setCursor(undefined)
  function write(next: string, at: number) {
    if (next !== text) onText(next)
    setCursor(at)
  }
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
    } else if (event.key === 'Enter') {
      leave()
    } else if (event.key === 'Escape' && place) {
      event.preventDefault()
      leave()
    }
  }
  const chosen = Math.min(active, offers.length - 1)
  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label="Filter"
        aria-expanded={offers.length > 0}
        aria-controls={offers.length > 0 ? 'filter-offers' : undefined}
        aria-activedescendant={chosen >= 0 ? `filter-offer-${chosen}` : undefined}
        aria-autocomplete="list"
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? 'filter-problem' : undefined}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxFilterCharacters}
        placeholder={placeholder}
        value={text}
        onKeyDown={press}
        onFocus={({ target }) => write(text, target.selectionStart ?? text.length)}
        onBlur={leave}
        onChange={({ target }) => {
          setActive(-1)
          write(target.value, target.selectionStart ?? target.value.length)
        }}
        className="h-6 min-w-40 grow bg-transparent outline-none"
      />
      {place && offers.length > 0 && (
        <div className="pop absolute top-full left-2 z-20 mt-1 max-h-80 w-96 max-w-full overflow-auto p-1">
          <div aria-hidden className="px-2 pt-1.5 pb-1 text-2xs text-fg-3">
            {titles[place.expects]}
          </div>
          <FilterOffers expects={place.expects} offers={offers} chosen={chosen} onTake={(offer) => take(offer, place)} />
        </div>
      )}
    </>
  )
}

interface OffersProperties {
  /** Kind of the expected input. */
  expects: string
  offers: readonly string[]
  /** Index of the suggestion selected by keyboard; -1 for none. */
  chosen: number
  onTake: (offer: string) => void
}

function FilterOffers({ expects, offers, chosen, onTake }: OffersProperties) {
  return (
    <ul id="filter-offers" role="listbox" aria-label={`Offers: ${expects}`} className="flex flex-col">
      {offers.map((offer, at) => (
        <li
          key={offer}
          id={`filter-offer-${at}`}
          role="option"
          aria-selected={at === chosen}
          ref={at === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
          // Before the field is left, which would take the offers away.
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(offer)
          }}
          className={cx('item mono wrap-anywhere', at === chosen && 'bg-hover')}
        >
          {offer}
        </li>
      ))}
    </ul>
  )
}
