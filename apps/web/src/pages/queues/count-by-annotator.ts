import type { ItemState } from '../../features/queues/item-states.ts'

export interface AnnotatorCounts {
  annotator: string
  completed: number
  skipped: number
  inProgress: number
}

interface AnnotatedItem {
  annotator_user_id: string | null
  annotation_state: ItemState
}

/** How many of the items each annotator has set the state of last, the busiest first. */
export function countByAnnotator(items: readonly AnnotatedItem[]): AnnotatorCounts[] {
  const counts = new Map<string, AnnotatorCounts>()
  for (const { annotator_user_id, annotation_state } of items) {
    const annotator = annotator_user_id ?? ''
    if (annotator === '') continue
    const one = counts.get(annotator) ?? { annotator, completed: 0, skipped: 0, inProgress: 0 }
    counts.set(annotator, one)
    if (annotation_state === 'completed') one.completed++
    else if (annotation_state === 'skipped') one.skipped++
    else one.inProgress++
  }
  return [...counts.values()].sort((one, other) => other.completed + other.skipped - one.completed - one.skipped)
}
