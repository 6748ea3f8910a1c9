import type { ItemFilter } from '../../features/queues/item-filters.ts'
import type { QueueItem } from '../../features/queues/queue-queries.ts'
import type { AnnotateAction } from './annotate-keys.ts'
import type { AnnotationField } from './annotation-field.ts'
import type { StoredValue } from './annotation-saver.ts'
import { commitTyped, focusText } from './field-focus.ts'
import { useAnswers } from './use-answers.ts'
import type { ItemClaim } from './use-claim.ts'
import { useCurrentField } from './use-current-field.ts'
import { useKeys } from './use-keys.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useOtherItems } from './use-other-items.ts'
import { useReview } from './use-review.ts'
import { useStep } from './use-step.ts'

interface Parts {
  queue: { id: string }
  item: QueueItem
  fields: readonly AnnotationField[]
  stored: Readonly<Record<string, StoredValue>>
  username: string
  filter: ItemFilter | undefined
  claim: ItemClaim
  onHelp: () => void
}

export type Annotation = ReturnType<typeof useAnnotation>

/** What buttons and keys of the page of an item do. */
export function useAnnotation({ claim, onHelp, ...parts }: Parts) {
  const { item, fields } = parts
  const answers = useAnswers({ ...parts, onWork: claim.work })
  useLeaveGuard(answers)
  const others = useOtherItems({ ...parts, release: claim.release })
  const { start, ...step } = useStep()
  const review = useReview({ ...parts, answers, others, say: step.say })
  const field = useCurrentField(fields, answers.change)
  const isReviewed = item.own_state === 'completed' || item.own_state === 'skipped'

  const actions: Readonly<Partial<Record<AnnotateAction['do'], () => void>>> = {
    next: () => start(() => others.openAdjacent('next')),
    previous: () => start(() => others.openAdjacent('previous')),
    complete: () => start(review.complete),
    skip: () => start(review.skip),
    reopen: () => isReviewed && start(review.reopen),
    'field-down': () => field.move(1),
    'field-up': () => field.move(-1),
    undo: () => answers.saver.undo(),
    note: () => focusText('note'),
    'corrected-output': () => focusText('corrected-output'),
  }

  function act(action: AnnotateAction) {
    // Until the next item is on screen, keys would change one that is done.
    if (step.isLeaving) return
    if (action.do === 'option') field.chooseOption(action.at)
    else actions[action.do]?.()
  }

  useKeys((action) => {
    commitTyped()
    act(action)
  }, onHelp)

  return { answers, field, step, act, place: others.place, isReviewed }
}
