/** How a queue assigns its items. */
export interface QueueSetUp {
  reviewers_per_item: number
  reservation_minutes: number
  item_order: ItemOrder
}

export const itemOrders = {
  oldest: 'Oldest first',
  newest: 'Newest first',
  random: 'Random, the same for everybody',
} as const
export type ItemOrder = keyof typeof itemOrders

/** Default settings of a queue. */
export const usualSetUp: QueueSetUp = { reviewers_per_item: 1, reservation_minutes: 10, item_order: 'oldest' }

/** A set-up as it is typed. */
export interface SetUpText {
  reviewers: string
  minutes: string
  order: ItemOrder
}

export const toTyped = ({ reviewers_per_item, reservation_minutes, item_order }: QueueSetUp): SetUpText => ({
  reviewers: String(reviewers_per_item),
  minutes: String(reservation_minutes),
  order: item_order,
})

export const bounds = { reviewers: { minimum: 1, maximum: 20 }, minutes: { minimum: 1, maximum: 1_440 } } as const

/** The settings, or a message about their problem. */
export function readSetUp({ reviewers, minutes, order }: SetUpText): QueueSetUp | string {
  const reviewers_per_item = readWhole(reviewers, bounds.reviewers)
  if (reviewers_per_item === undefined) return 'Reviewers of an item must be a whole number from 1 to 20.'
  const reservation_minutes = readWhole(minutes, bounds.minutes)
  if (reservation_minutes === undefined) return 'The reservation must be whole minutes from 1 to 1,440.'
  return { reviewers_per_item, reservation_minutes, item_order: order }
}

function readWhole(text: string, { minimum, maximum }: { minimum: number; maximum: number }): number | undefined {
  const value = /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : Number.NaN
  return value >= minimum && value <= maximum ? value : undefined
}
