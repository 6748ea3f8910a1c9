import type { ChildCall } from './child-call.ts'
import { scoreName } from './score-name.ts'
import { isScorer } from './is-scorer.ts'

/**
 * Id of the score call of each key of the scores: the call with that score name, marked ones first; else the first scorer whose op has the key in its
 * name or the other way round. A key without a call is omitted. The predict call is not a score call.
 */
export function findScorerCalls(
  keys: readonly string[],
  children: readonly ChildCall[],
  predictCall: ChildCall | undefined,
): Record<string, string> {
  const others = children.filter((child) => child !== predictCall)
  const scorers = others.filter(isScorer)
  const named = firstsByName([...scorers, ...others])
  const found = keys.flatMap((key) => {
    const call = named.get(key) ?? scorers.find((scorer) => isAlike(scorer, key))
    return call === undefined ? [] : [[key, call.id] as const]
  })
  return Object.fromEntries(found)
}

function firstsByName(children: readonly ChildCall[]): ReadonlyMap<string, ChildCall> {
  const named = new Map<string, ChildCall>()
  for (const child of new Set(children)) {
    const name = scoreName(child)
    if (!named.has(name)) named.set(name, child)
  }
  return named
}

function isAlike({ op_short_name }: ChildCall, key: string): boolean {
  const name = op_short_name.toLowerCase()
  const wanted = key.toLowerCase()
  return name.includes(wanted) || wanted.includes(name)
}
