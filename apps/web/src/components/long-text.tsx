import { useState } from 'react'

const shownCharacters = 20_000

/** A text of any length as it is: nothing in it is markup. Of a long one the first part, and a button for the rest. */
export function LongText({ text, label }: { text: string; label: string }) {
  const [showsAll, setShowsAll] = useState(false)
  const isCut = !showsAll && text.length > shownCharacters
  return (
    <div className="long-text">
      <pre tabIndex={0} role="region" aria-label={label}>
        {isCut ? text.slice(0, shownCharacters) : text}
      </pre>
      {isCut && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show the other {(text.length - shownCharacters).toLocaleString('en')} characters
        </button>
      )}
    </div>
  )
}
