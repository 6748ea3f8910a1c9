import type { ProjectScope } from '@heddle/identity'
import type { EvalResultsStore } from '../eval-results-store.ts'
import { type ChildCall, toChildCall, toMarkedCall } from './child-call.ts'

type ChildrenStore = Pick<EvalResultsStore, 'childMarks' | 'children'>

/** The calls below each parent; undefined for those of which the columns do not tell enough. */
export type MarkedChildren = ReadonlyMap<string, readonly (ChildCall | undefined)[]>

/** Reads what columns tell of the calls below some predict-and-score calls, by start and then id. `usage`: also their token counts by model. */
export async function readMarkedChildren(
  store: ChildrenStore,
  { project, parents, usage }: { project: ProjectScope; parents: readonly string[]; usage: boolean },
): Promise<MarkedChildren> {
  const children = new Map<string, (ChildCall | undefined)[]>(parents.map((id) => [id, []]))
  for (const child of await store.childMarks(project, parents, { usage })) children.get(child.parent_id)?.push(toMarkedCall(child))
  return children
}

/** All calls below the parents. They are read again with their payloads where their columns do not tell enough, for the rules or for `isEnough`. */
export async function completeChildren(
  store: ChildrenStore,
  { project, marked, isEnough }: { project: ProjectScope; marked: MarkedChildren; isEnough(parent: string, child: ChildCall): boolean },
): Promise<ReadonlyMap<string, readonly ChildCall[]>> {
  const complete = new Map<string, ChildCall[]>()
  const unclear: string[] = []
  for (const [parent, calls] of marked) {
    const known = calls.flatMap((child) => (child !== undefined && isEnough(parent, child) ? [child] : []))
    if (known.length < calls.length) unclear.push(parent)
    complete.set(parent, known.length < calls.length ? [] : known)
  }
  for (const child of await store.children(project, unclear)) complete.get(child.parent_id)?.push(toChildCall(child))
  return complete
}
