import { useState } from 'react'
import type { ItemFilter } from '../../features/queues/item-filters.ts'
import { AnnotateHead, ProgressLine } from './annotate-head.tsx'
import { AnnotateKeysHelp } from './annotate-keys-help.tsx'
import type { AnnotationField } from './annotation-field.ts'
import type { StoredValue } from './annotation-saver.ts'
import { AnswersForm } from './answers-form.tsx'
import { CallContent } from './call-content.tsx'
import type { QueueItem } from '../../features/queues/queue-queries.ts'
import { useAnnotation } from './use-annotation.ts'
import { useClaim } from './use-claim.ts'

interface Properties {
  queue: { id: string; name: string; description: string; reviewers_per_item: number; reservation_minutes: number }
  item: QueueItem
  /** Null where the call was deleted. */
  call: Readonly<Record<string, unknown>> | null
  fields: readonly AnnotationField[]
  stored: Readonly<Record<string, StoredValue>>
  username: string
  /** Which items of the queue next and previous page through. */
  filter: ItemFilter | undefined
}

/** The call and the questions of an item, side by side. */
export function AnnotateItem(properties: Properties) {
  const { queue, item, call, fields, username, filter } = properties
  const claim = useClaim({ queue, item, username })
  const [showsKeys, setShowsKeys] = useState(false)
  const annotation = useAnnotation({ ...properties, claim, onHelp: () => setShowsKeys((now) => !now) })
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <AnnotateHead queue={queue} filter={filter} saveState={annotation.answers.saveState} onKeys={() => setShowsKeys(true)} />
      <ProgressLine queue={queue} item={item} place={annotation.place} username={username} filter={filter} claim={claim} />
      <div className="flex min-h-0 grow max-md:flex-col">
        <CallContent instructions={queue.description} callId={item.call_id} call={call} displayFields={item.display_fields} />
        <AnswersForm queue={queue.id} item={item} call={call} fields={fields} username={username} claim={claim} annotation={annotation} />
      </div>
      <AnnotateKeysHelp open={showsKeys} onClose={() => setShowsKeys(false)} />
    </div>
  )
}
