import { FileText } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { LongText } from '../../ui/texts/long-text.tsx'
import { looksLikeMarkdown } from './looks-like-markdown.ts'

interface Properties {
  text: string
  label: string
  /** Whether the text was written by a user or a model, so that it may be Markdown. Default: true. */
  isProse?: boolean
  /** `prose`: read like a message. Default: in a box. */
  look?: 'box' | 'prose'
}

// If the Markdown component cannot be loaded, the text is shown unformatted.
const Markdown = lazy(async () => {
  try {
    return { default: (await import('./show-markdown.tsx')).ShowMarkdown }
  } catch {
    return { default: LongText }
  }
})

/** A text, formatted where it is Markdown; a button shows it as it was written. */
export function FormattedText({ text, label, isProse = true, look = 'box' }: Properties) {
  const [isAsWritten, setIsAsWritten] = useState(false)
  const given = { label, text, look }
  if (!isProse || !looksLikeMarkdown(text)) return <LongText {...given} />
  const asWritten = {
    'aria-pressed': isAsWritten,
    'aria-label': `${label} as it was written`,
    onClick: () => setIsAsWritten(!isAsWritten),
  }
  return (
    <div className="formatted min-w-0">
      {look === 'prose' ? (
        <IconButton {...asWritten} label="As written" icon={FileText} className="float-right ml-2" />
      ) : (
        <Button {...asWritten} variant="ghost">
          As written
        </Button>
      )}
      {isAsWritten ? (
        <LongText {...given} />
      ) : (
        <Suspense fallback={<AsWritten {...given} />}>
          <Markdown {...given} />
        </Suspense>
      )}
    </div>
  )
}

/** Until what formats texts has been loaded. */
function AsWritten(properties: Pick<Properties, 'text' | 'label' | 'look'>) {
  return (
    <div aria-busy="true">
      <LongText {...properties} />
    </div>
  )
}
