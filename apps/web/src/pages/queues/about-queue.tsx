import type { AnnotationQueue } from '@heddle/core-api/types'
import { FormattedText } from '../../features/markdown/formatted-text.tsx'
import { Facts } from '../../ui/card.tsx'
import { itemOrders } from './queue-set-up.ts'

/** The instructions and the settings of a queue. */
export function AboutQueue({ queue }: { queue: AnnotationQueue }) {
  return (
    <div className="flex max-w-190 flex-col gap-4 p-4">
      {queue.description === '' ? (
        <p className="text-fg-3">No instructions</p>
      ) : (
        <FormattedText text={queue.description} label="Instructions" />
      )}
      <Facts
        wide
        rows={[
          ['Reviewers per item', queue.reviewers_per_item],
          ['Hold time', `${queue.reservation_minutes.toLocaleString('en')} min`],
          ['Order', itemOrders[queue.item_order]],
          ['Questions', queue.scorer_refs.length],
        ]}
      />
    </div>
  )
}
