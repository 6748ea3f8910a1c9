import type { MessagePart } from '@heddle/trace-model'
import { LongText } from '../../components/long-text.tsx'
import { FormattedText } from '../../components/markdown/formatted-text.tsx'
import { toText } from '../../components/to-text.ts'
import { mediaIn } from '../../components/value/media-in.ts'
import { ShowMedia } from '../../components/value/show-media.tsx'
import { mediaOfPart } from './media-of-part.ts'

/** A part of a message. What a model thought is folded; an image or a sound is shown when it is asked for. */
export function ShowMessagePart({ part, label }: { part: MessagePart; label: string }) {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return <FormattedText label={label} text={part.text} />
    case 'reasoning':
      return (
        <details>
          <summary>Thinking</summary>
          <LongText label={`${label}, thinking`} text={part.text} />
        </details>
      )
    case 'tool_call':
      return <FormattedText label={label} text={`calls ${part.name}(${compactText(part.arguments)})`} />
    case 'tool_result':
      return <FormattedText label={label} text={compactText(part.result)} />
    case 'media':
      return <ShowMediaPart part={part} />
    case 'other':
      return <FormattedText label={label} text={compactText(mediaIn(part.value, '').shown)} />
  }
}

/** An image or a sound that stands in the message is shown when it is asked for; others are named, and nothing is loaded from elsewhere. */
function ShowMediaPart({ part }: { part: MessagePart & { type: 'media' } }) {
  const media = mediaOfPart(part)
  if (media)
    return (
      <ul className="plain">
        <ShowMedia media={media} />
      </ul>
    )
  const { modality, mimeType, name, fileId, url } = part
  return <p className="muted">{[modality, mimeType, name, fileId, url].filter((word) => word !== undefined).join(', ')}</p>
}

const compactText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? toText(value)))
