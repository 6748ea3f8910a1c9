interface PlacedItem {
  id: string
  /** Position in the queue from 1. */
  position_in_queue: number | null
}

/**
 * The item of a list that comes next or before a place in its queue, in the order of the list. The item at that place need not be in the list:
 * one that was completed is none of the open ones any more.
 */
export function itemBeside<Item extends PlacedItem>(items: readonly Item[], place: number, step: 1 | -1): Item | undefined {
  const positionOf = ({ position_in_queue }: Item) => position_in_queue ?? 0
  return step === 1 ? items.find((item) => positionOf(item) > place) : items.findLast((item) => positionOf(item) < place)
}
