import { LRUCache } from 'lru-cache'
import { createFairShares, type FairShares } from './fair-shares.ts'

/** The flow that a request belongs to: requests of one flow are served in order, flows share the server fairly. */
export interface Flow {
  /** Id of the API key; '' without one. */
  caller: string
  /** The project, where the request names one before its body; else ''. */
  project: string
}

/** Fair queueing on two levels: among callers, then among the projects of a caller. Within a project, first in first out. */
export interface FairQueue<T> {
  push(flow: Flow, item: T): void
  /** Removes and returns the next item that is eligible; one that is not holds back those behind it in its project. */
  next(isEligible: (item: T) => boolean): T | undefined
  /** Removes an item that no longer waits; does nothing when it is not queued. */
  remove(flow: Flow, item: T): void
  /** The item of a flow that has waited longest. */
  first(flow: Flow): T | undefined
  /** Charges work that starts to its caller and project, whether it waited or not. */
  charge(flow: Flow, weight: number): void
  /** Charges more for work that has started. */
  addCharge(flow: Flow, weight: number): void
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

  function remove({ caller, project }: Flow, item: T): void {
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
    next(isEligible) {
      const chosen = lowest(waiting, (caller, projects) => {
        const project = lowest(projects, (name, [item]) =>
          item !== undefined && isEligible(item)
            ? { startTag: projectShares(caller).startTag(name), flow: { caller, project: name }, item }
            : undefined,
        )
        return project && { ...project, startTag: callers.startTag(caller) }
      })
      if (chosen) remove(chosen.flow, chosen.item)
      return chosen?.item
    },
    remove,
    first: ({ caller, project }) => waiting.get(caller)?.get(project)?.[0],
    charge({ caller, project }, weight) {
      callers.charge(caller, weight)
      projectShares(caller).charge(project, weight)
    },
    addCharge({ caller, project }, weight) {
      callers.addCharge(caller, weight)
      projectShares(caller).addCharge(project, weight)
    },
    get size() {
      return size
    },
  }
}

/** The candidate with the lowest start tag, the first of equals; entries that are not candidates are skipped. */
function lowest<K, V, Candidate extends { startTag: number }>(
  entries: ReadonlyMap<K, V>,
  toCandidate: (key: K, value: V) => Candidate | undefined,
): Candidate | undefined {
  let best: Candidate | undefined
  for (const [key, value] of entries) {
    const candidate = toCandidate(key, value)
    if (candidate && (!best || candidate.startTag < best.startTag)) best = candidate
  }
  return best
}
