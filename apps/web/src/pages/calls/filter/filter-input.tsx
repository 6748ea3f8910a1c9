import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { type Completion, completionAt, offersFor, withOffer } from './complete-filter.ts'
import { valuesQuery } from './filter-queries.ts'
import { maxFilterCharacters, pathText } from './parse-filter.ts'
import type { FilterProblem } from './read-tokens.ts'

interface Properties {
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

/** The text of a filter, with offers for what comes next at the cursor. */
export function FilterInput({ project, input, text, cursor, paths, problem, write, leave }: Properties) {
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
    } else if (event.key === 'Enter') {
      leave()
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
        <FilterOffers expects={place.expects} offers={offers} chosen={chosen} onTake={(offer) => take(offer, place)} />
      )}
    </div>
  )
}

interface OffersProperties {
  /** What may come next. */
  expects: string
  offers: readonly string[]
  /** Place of the one that the keys have chosen; -1 for none. */
  chosen: number
  onTake: (offer: string) => void
}

function FilterOffers({ expects, offers, chosen, onTake }: OffersProperties) {
  return (
    <ul id="filter-offers" role="listbox" aria-label={`Offers: ${expects}`} className="go-to-list offers">
      {offers.map((offer, at) => (
        <li
          key={offer}
          id={`filter-offer-${at}`}
          role="option"
          aria-selected={at === chosen}
          // Before the field is left, which would take the offers away.
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(offer)
          }}
        >
          {offer}
        </li>
      ))}
    </ul>
  )
}
