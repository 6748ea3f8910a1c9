import { useState } from 'react'
import { TextButton } from '../text-button.tsx'

const shownCharacters = 20_000

interface Properties {
  text: string
  label: string
  /** `prose`: shown like a message, at full height. `error`: an error, in few lines that scroll. Default: code in a box that scrolls. */
  look?: 'box' | 'prose' | 'error'
}

/** A text of any length, verbatim: nothing in it is markup. If it is long, the first part, and a button for the rest. */
export function LongText({ text, label, look = 'box' }: Properties) {
  const [showsAll, setShowsAll] = useState(false)
  const isCut = !showsAll && text.length > shownCharacters
  const shown = isCut ? text.slice(0, shownCharacters) : text
  return (
    <div className="min-w-0">
      {look === 'prose' ? (
        <div role="region" aria-label={label} className="prose whitespace-pre-wrap wrap-anywhere">
          {shown}
        </div>
      ) : (
        <pre
          tabIndex={0}
          role="region"
          aria-label={label}
          className={
            look === 'error' ? 'max-h-40 overflow-auto text-xs leading-5 wrap-anywhere whitespace-pre-wrap text-red-text' : undefined
          }
        >
          {shown}
        </pre>
      )}
      {isCut && (
        <TextButton
          look="quiet"
          onClick={() => setShowsAll(true)}
        >{`Show the other ${(text.length - shownCharacters).toLocaleString('en')} characters`}</TextButton>
      )}
    </div>
  )
}
