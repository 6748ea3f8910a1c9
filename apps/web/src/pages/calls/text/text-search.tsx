import { type FormEvent, useEffect, useState } from 'react'
import type { CallsSearch } from '../calls-search.ts'
import { maxTextLength, searchedParts } from './text-filter.ts'

interface Properties {
  search: CallsSearch
  /** Calls are being looked through. */
  isSearching: boolean
  change: (part: CallsSearch) => void
  onStop: () => void
}

/** Looks for a text in calls, apart from the filter. What is looked through, and what ends it, is said. */
export function TextSearch({ search, isSearching, change, onStop }: Properties) {
  const [text, setText] = useState(search.text ?? '')
  useEffect(() => setText(search.text ?? ''), [search.text])

  function submit(event: FormEvent) {
    event.preventDefault()
    change({ text: text.trim() || undefined })
  }

  return (
    <form className="row" role="search" aria-label="Text in calls" onSubmit={submit}>
      <label htmlFor="search-text">Search</label>
      <input
        id="search-text"
        type="search"
        maxLength={maxTextLength}
        placeholder={`in ${searchedParts}`}
        size={34}
        aria-describedby={search.text === undefined ? undefined : 'searched'}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit">Search</button>
      {search.text !== undefined && (
        <button type="button" onClick={() => change({ text: undefined })}>
          Search nothing
        </button>
      )}
      {search.text !== undefined && isSearching && (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      )}
      {search.text !== undefined && (
        <span id="searched" className="muted">
          {`Looks in ${searchedParts} of ${search.level === 'all' ? 'all calls' : 'root calls'}, the newest first.`}
        </span>
      )}
    </form>
  )
}

/** What ends a search of many calls, and what makes it shorter. */
export const SearchLimits = () => (
  <p className="muted">
    A search reads each call that the conditions leave, within the time that the server gives a query. With a time (Show only these) or
    another condition it reads fewer.
  </p>
)
