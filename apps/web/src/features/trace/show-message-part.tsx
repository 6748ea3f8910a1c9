import type { MediaPart, MessagePart } from '@heddle/trace-model'
import { Brain } from 'lucide-react'
import { Suspense } from 'react'
import { LongText } from '../../ui/texts/long-text.tsx'
import { FormattedText } from '../markdown/formatted-text.tsx'
import { jsonText } from '../../lib/texts/to-text.ts'
import { type Media, mediaIn } from '../values/media-in.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ToolCall } from '../../ui/chat.tsx'
import { Fold } from '../../ui/fold.tsx'
import { failureOf, type ShownPart, structured } from './chat-of-messages.ts'

const MediaList = lazyPart(() => import('../values/media-list.tsx').then(({ MediaList }) => MediaList))

/** A part of a message. Reasoning is folded; an image or a sound is loaded on demand. `answer` is the result of a tool call. */
export function ShowMessagePart({ part, answer, label }: Pick<ShownPart, 'part' | 'answer'> & { label: string }) {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return <FormattedText look="prose" label={label} text={part.text} />
    case 'reasoning':
      return (
        <Fold icon={Brain} title="Thinking" isKept>
          <LongText look="prose" label={`${label}, thinking`} text={part.text} />
        </Fold>
      )
    case 'tool_call':
      return <Tool name={part.name} args={part.arguments} answer={answer} />
    case 'tool_result':
      return <Tool name={part.name ?? 'Result'} answer={part} />
    case 'media':
      return <ShowMediaPart part={part} />
    case 'other':
      return <LongText look="prose" label={label} text={compactText(mediaIn(part.value, '').shown)} />
  }
}

function Tool({ name, args, answer }: { name: string; args?: unknown; answer: ShownPart['answer'] }) {
  const given = mediaIn(structured(args), '').shown
  if (answer === undefined) return <ToolCall name={name} args={given} hasResult={false} />
  const { shown: result, media } = mediaIn(structured(answer.result), 'result')
  return (
    <>
      <ToolCall name={name} args={given} hasResult result={result} error={failureOf(result)} />
      {media.length > 0 && (
        <Suspense>
          <MediaList media={media} />
        </Suspense>
      )}
    </>
  )
}

/** An image or a sound embedded in the message is shown on demand; all others are only named, and nothing is loaded from elsewhere. */
function ShowMediaPart({ part }: { part: MessagePart & { type: 'media' } }) {
  const media = mediaOfPart(part)
  if (media)
    return (
      <Suspense>
        <MediaList media={[media]} />
      </Suspense>
    )
  const { modality, mimeType, name, fileId, url } = part
  return (
    <p className="text-fg-3 wrap-anywhere">{[modality, mimeType, name, fileId, url].filter((word) => word !== undefined).join(', ')}</p>
  )
}

const compactText = (value: unknown) => (typeof value === 'string' ? value : jsonText(value))

/** The bytes embedded in a part of a message; undefined if they are elsewhere. */
function mediaOfPart({ modality, mimeType, url, data, name }: MediaPart): Media | undefined {
  const base64 = data ?? /^data:[^,]{0,200};base64,([\s\S]*)$/.exec(url ?? '')?.[1]
  if (base64 === undefined) return undefined
  const type = mimeType ?? (modality === 'audio' ? 'audio/wav' : undefined)
  return { path: name ?? modality, type, source: { kind: 'text', base64 }, bytes: Math.floor((base64.length * 3) / 4) }
}
