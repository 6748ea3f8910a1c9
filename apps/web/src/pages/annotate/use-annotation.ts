import type { ItemFilter } from '../../features/queues/item-filters.ts'
import type { QueueItem } from '../../features/queues/queue-queries.ts'
import type { AnnotateAction } from './annotate-keys.ts'
import { type AnnotationField, optionOfDigit } from './annotation-field.ts'
import type { StoredValue } from './annotation-saver.ts'
import { commitTyped, focusText, focusField } from './field-focus.ts'
import { useAnswers } from './use-answers.ts'
import type { ItemClaim } from './use-claim.ts'
import { useKeys } from './use-keys.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useOtherItems } from './use-other-items.ts'
import { useReview } from './use-review.ts'
import { useStep } from './use-step.ts'
import { useState } from 'react'

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

/** The field that keys act on. */
function useCurrentField(fields: readonly AnnotationField[], onChange: (field: string, value: unknown) => void) {
  const [current, setCurrent] = useState(0)
  return {
    current,
    setCurrent,
    /** Goes to the field before or after it, if there is one. */
    move(step: 1 | -1) {
      const next = Math.min(fields.length - 1, Math.max(0, current + step))
      setCurrent(next)
      focusField(fields[next]?.name)
    },
    /** A digit chooses an option; in a field of text it begins the text. */
    chooseOption(at: number) {
      const field = fields[current]
      if (field?.input.kind === 'options' || field?.input.kind === 'scale') {
        const option = optionOfDigit(field.input, at + 1)
        if (option !== undefined) onChange(field.name, option)
      } else focusField(field?.name)
    },
  }
}
