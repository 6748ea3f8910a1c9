type State = 'unstarted' | 'in_progress' | 'completed' | 'skipped'

/** What one item of a queue should hold, in plain data. */
interface ModelItem {
  /** Own states by annotator. */
  own: Record<string, State>
  /** The state that was set last, and by whom. */
  shown: [State, string]
  claim: { by: string; until: number } | undefined
}

/** A queue in plain data, with the clock of its server in seconds. */
export interface QueueModel {
  now: number
  /** People who must complete or skip an item before it counts as completed. */
  reviewers: number
  items: ModelItem[]
}

export type Action =
  | { kind: 'progress'; user: string; item: number; to: State }
  | { kind: 'reopen'; user: string; item: number }
  | { kind: 'claim'; user: string; limit: number; seconds: number }
  | { kind: 'wait'; seconds: number }

export const emptyQueue = (items: number, reviewers: number): QueueModel => ({
  now: 0,
  reviewers,
  items: Array.from({ length: items }, () => ({ own: {}, shown: ['unstarted', ''], claim: undefined })),
})

/** Does an action. What it should answer: the state that is shown, the items claimed, or 400. */
export function act(model: QueueModel, action: Action): unknown {
  switch (action.kind) {
    case 'progress':
      return setProgress(model, model.items[action.item] as ModelItem, action)
    case 'reopen':
      return reopen(model.items[action.item] as ModelItem, action.user)
    case 'claim':
      return claim(model, action)
    case 'wait':
      model.now += action.seconds
      return undefined
  }
}

function setProgress(model: QueueModel, item: ModelItem, { user, to }: { user: string; to: State }): unknown {
  const own = item.own[user]
  if (to === 'unstarted') return 400
  if (own === to) return item.shown
  const isFirst = own === undefined
  const isEnd = own === 'in_progress' && to !== 'in_progress'
  if (!isFirst && !isEnd) return 400
  item.own[user] = to
  item.shown = [to, user]
  if (to !== 'in_progress' && (item.claim?.by === user || isFinished(model, item))) item.claim = undefined
  return item.shown
}

function reopen(item: ModelItem, user: string): unknown {
  const own = item.own[user]
  if (!isReview(own)) return item.shown
  item.own[user] = 'in_progress'
  item.shown = ['in_progress', user]
  return item.shown
}

function claim(model: QueueModel, { user, limit, seconds }: { user: string; limit: number; seconds: number }): number[] {
  const { items, now } = model
  const isFree = (item: ModelItem) => {
    const { own, claim: held } = item
    const states = Object.entries(own)
    if (isFinished(model, item) || isReview(own[user])) return false
    if (states.some(([other, state]) => other !== user && state === 'in_progress')) return false
    return held === undefined || held.by === user || held.until <= now
  }
  const isOwn = ({ claim: held }: ModelItem) => held !== undefined && held.by === user && held.until > now
  const free = [...items.keys()].filter((at) => isFree(items[at] as ModelItem))
  const first = free.filter((at) => isOwn(items[at] as ModelItem))
  const chosen = [...first, ...free.filter((at) => !first.includes(at))].slice(0, limit)
  for (const at of chosen) (items[at] as ModelItem).claim = { by: user, until: now + seconds }
  return chosen
}

const isReview = (state: State | undefined) => state === 'completed' || state === 'skipped'
const isFinished = ({ reviewers }: QueueModel, { own }: ModelItem) => Object.values(own).filter(isReview).length >= reviewers

/** Items that enough people completed or skipped. */
export function countFinished(model: QueueModel): number {
  return model.items.filter((item) => isFinished(model, item)).length
}
