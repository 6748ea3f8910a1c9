import { inParts } from '@heddle/datastore'
import { setImmediate } from 'node:timers/promises'
import type { ProjectScope } from '@heddle/identity'
import type { EvalResultsStore } from '../eval-results-store.ts'
import { type ChildCall, toChildCall, toMarkedCall } from './child-call.ts'

type ChildrenStore = Pick<EvalResultsStore, 'childMarks' | 'children'>

/** The calls below each parent; undefined for calls whose columns are not enough. */
export type MarkedChildren = ReadonlyMap<string, readonly (ChildCall | undefined)[]>

/** Calls whose children are read with their payloads by one statement. */
const parentsAtOnce = 500
/** Parents whose children are processed before yielding to the event loop. */
const lookedAtOnce = 200

/** Reads the columns of the calls below some predict-and-score calls, by start and then id. `usage`: also their token counts by model. */
export async function readMarkedChildren(
  store: ChildrenStore,
  { project, parents, usage }: { project: ProjectScope; parents: readonly string[]; usage: boolean },
): Promise<MarkedChildren> {
  const children = new Map<string, (ChildCall | undefined)[]>(parents.map((id) => [id, []]))
  for (const child of await store.childMarks(project, parents, { usage })) children.get(child.parent_id)?.push(toMarkedCall(child))
  return children
}

/** The same, where those of some parents were read before. */
export async function markedChildrenOf(
  store: ChildrenStore,
  { known, parents, ...options }: { project: ProjectScope; parents: readonly string[]; usage: boolean; known: MarkedChildren },
): Promise<MarkedChildren> {
  const read = await readMarkedChildren(store, { ...options, parents: parents.filter((id) => !known.has(id)) })
  return new Map(parents.map((id) => [id, known.get(id) ?? read.get(id) ?? []]))
}

/** All calls below the parents. They are read again with their payloads if their columns are not enough, for the rules or for `isEnough`. */
export async function completeChildren(
  store: ChildrenStore,
  { project, marked, isEnough }: { project: ProjectScope; marked: MarkedChildren; isEnough(parent: string, child: ChildCall): boolean },
): Promise<ReadonlyMap<string, readonly ChildCall[]>> {
  const complete = new Map<string, ChildCall[]>()
  const unclear: string[] = []
  let looked = 0
  for (const [parent, calls] of marked) {
    if (++looked % lookedAtOnce === 0) await setImmediate()
    const known = calls.flatMap((child) => (child !== undefined && isEnough(parent, child) ? [child] : []))
    if (known.length < calls.length) unclear.push(parent)
    complete.set(parent, known.length < calls.length ? [] : known)
  }
  for (const some of inParts(unclear, parentsAtOnce))
    for (const child of await store.children(project, some)) complete.get(child.parent_id)?.push(toChildCall(child))
  return complete
}
