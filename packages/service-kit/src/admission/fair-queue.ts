import { LRUCache } from 'lru-cache'
import { createFairShares, type FairShares } from './fair-shares.ts'

/** Whose work a request is. */
export interface Flow {
  /** The API key, or whoever else sends it. */
  caller: string
  /** The project, where the request names one before its body; else ''. */
  project: string
}

/** Those who wait for their turn: callers take turns, and so do the projects of a caller. Within a project the first to come is next. */
export interface FairQueue<T> {
  push(flow: Flow, item: T): void
  /** Takes out the one that is next among those that `mayGo` lets through; an item that it holds back holds back its project. */
  next(mayGo: (item: T) => boolean): T | undefined
  /** Takes out an item that no longer waits. */
  remove(flow: Flow, item: T): void
  /** The item of a flow that has waited longest. */
  first(flow: Flow): T | undefined
  /** Counts work that begins for its caller and project, whether it waited or not. */
  begin(flow: Flow, weight: number): void
  /** Counts what work that began turned out to weigh more. */
  add(flow: Flow, weight: number): void
  readonly size: number
}

const maxCallers = 1_000

export function createFairQueue<T>(): FairQueue<T> {
  const waiting = new Map<string, Map<string, T[]>>()
  const callers = createFairShares()
  const projectsOf = new LRUCache<string, FairShares>({ max: maxCallers })
  let size = 0

  function projectShares(caller: string): FairShares {
    const known = projectsOf.get(caller)
    if (known) return known
    const made = createFairShares()
    projectsOf.set(caller, made)
    return made
  }

  function take({ caller, project }: Flow, item: T): void {
    const projects = waiting.get(caller)
    const items = projects?.get(project)
    const at = items?.indexOf(item) ?? -1
    if (!projects || !items || at < 0) return
    items.splice(at, 1)
    size--
    if (items.length === 0) projects.delete(project)
    if (projects.size === 0) waiting.delete(caller)
  }

  return {
    push({ caller, project }, item) {
      const projects = waiting.get(caller) ?? new Map<string, T[]>()
      waiting.set(caller, projects)
      const items = projects.get(project)
      if (items) items.push(item)
      else projects.set(project, [item])
      size++
    },
    next(mayGo) {
      const chosen = lowest(waiting, (caller, projects) => {
        const project = lowest(projects, (name, [item]) =>
          item !== undefined && mayGo(item)
            ? { place: projectShares(caller).placeOf(name), flow: { caller, project: name }, item }
            : undefined,
        )
        return project && { ...project, place: callers.placeOf(caller) }
      })
      if (chosen) take(chosen.flow, chosen.item)
      return chosen?.item
    },
    remove: take,
    first: ({ caller, project }) => waiting.get(caller)?.get(project)?.[0],
    begin({ caller, project }, weight) {
      callers.begin(caller, weight)
      projectShares(caller).begin(project, weight)
    },
    add({ caller, project }, weight) {
      callers.add(caller, weight)
      projectShares(caller).add(project, weight)
    },
    get size() {
      return size
    },
  }
}

/** The first of those with the lowest place; entries without one are passed over. */
function lowest<K, V, Candidate extends { place: number }>(
  entries: ReadonlyMap<K, V>,
  toCandidate: (key: K, value: V) => Candidate | undefined,
): Candidate | undefined {
  let best: Candidate | undefined
  for (const [key, value] of entries) {
    const candidate = toCandidate(key, value)
    if (candidate && (!best || candidate.place < best.place)) best = candidate
  }
  return best
}
