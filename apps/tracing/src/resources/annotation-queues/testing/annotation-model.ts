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
  items: ModelItem[]
}

export type Action =
  | { kind: 'progress'; user: string; item: number; to: State }
  | { kind: 'claim'; user: string; limit: number; seconds: number }
  | { kind: 'wait'; seconds: number }

export const emptyQueue = (items: number): QueueModel => ({
  now: 0,
  items: Array.from({ length: items }, () => ({ own: {}, shown: ['unstarted', ''], claim: undefined })),
})

/** Does an action. What it should answer: the state that is shown, the items claimed, or 400. */
export function act(model: QueueModel, action: Action): unknown {
  switch (action.kind) {
    case 'progress':
      return setProgress(model.items[action.item] as ModelItem, action)
    case 'claim':
      return claim(model, action)
    case 'wait':
      model.now += action.seconds
      return undefined
  }
}

function setProgress(item: ModelItem, { user, to }: { user: string; to: State }): unknown {
  const own = item.own[user]
  if (to === 'unstarted') return 400
  if (own === to) return item.shown
  const isFirst = own === undefined
  const isEnd = own === 'in_progress' && to !== 'in_progress'
  if (!isFirst && !isEnd) return 400
  item.own[user] = to
  item.shown = [to, user]
  return item.shown
}

function claim({ items, now }: QueueModel, { user, limit, seconds }: { user: string; limit: number; seconds: number }): number[] {
  const isFree = ({ own, claim: held }: ModelItem) => {
    const states = Object.entries(own)
    if (states.some(([, state]) => state === 'completed' || state === 'skipped')) return false
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

/** Items that at least one annotator completed or skipped. */
export function countFinished({ items }: QueueModel): number {
  return items.filter(({ own }) => Object.values(own).some((state) => state === 'completed' || state === 'skipped')).length
}
