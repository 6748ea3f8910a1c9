import { lazy, Suspense, useState } from 'react'
import { LongText } from '../long-text.tsx'
import { looksLikeMarkdown } from './looks-like-markdown.ts'

interface Properties {
  text: string
  label: string
  /** Whether a person or a model wrote it, so that it may be Markdown. Default: it may. */
  isProse?: boolean
}

// A text is worth more than its form: where the part that reads Markdown cannot be loaded it stays as it was written.
const Markdown = lazy(async () => {
  try {
    return { default: (await import('./show-markdown.tsx')).ShowMarkdown }
  } catch {
    return { default: LongText }
  }
})

/** A text, formatted where it is Markdown; a button shows it as it was written. */
export function FormattedText({ text, label, isProse = true }: Properties) {
  const [isAsWritten, setIsAsWritten] = useState(false)
  if (!isProse || !looksLikeMarkdown(text)) return <LongText label={label} text={text} />
  return (
    <div className="formatted">
      <button
        type="button"
        className="small"
        aria-pressed={isAsWritten}
        aria-label={`${label} as it was written`}
        onClick={() => setIsAsWritten(!isAsWritten)}
      >
        As written
      </button>
      {isAsWritten ? (
        <LongText label={label} text={text} />
      ) : (
        <Suspense fallback={<AsWritten label={label} text={text} />}>
          <Markdown label={label} text={text} />
        </Suspense>
      )}
    </div>
  )
}

/** Until what formats texts has been loaded. */
function AsWritten(properties: { text: string; label: string }) {
  return (
    <div aria-busy="true">
      <LongText {...properties} />
    </div>
  )
}
