import { LongText } from '../../../ui/texts/long-text.tsx'
import { FormattedText } from '../../../features/markdown/formatted-text.tsx'
import { looksLikeMarkdown } from '../../../features/markdown/looks-like-markdown.ts'
import { toText } from '../../../lib/texts/to-text.ts'

/** Longer texts are in a box that shows the first part. */
const maxProse = 20_000

/** A value for display: a text as prose, or formatted if it is Markdown; all else as JSON. */
export function ShownValue({ value, label }: { value: unknown; label: string }) {
  if (typeof value !== 'string') return <LongText text={toText(value)} label={label} />
  if (looksLikeMarkdown(value) || value.length > maxProse) return <FormattedText text={value} label={label} />
  return (
    <div role="region" aria-label={label} className="prose whitespace-pre-wrap wrap-anywhere">
      {value}
    </div>
  )
}
