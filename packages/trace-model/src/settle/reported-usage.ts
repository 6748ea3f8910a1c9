import type { ParentLinks } from '../tree/link-parents.ts'
import type { ModelCounts } from '../usage/read-usage.ts'
import { addCounts, hasTokens, noTokens, type TokenCounts } from '../usage/token-counts.ts'
import type { TraceNode } from './trace-node.ts'

/** The usage reported by the calls of a trace, by index, and the nearest reports below each. */
export interface ReportedUsage {
  /** Over all models; undefined for a call that reports no tokens, which zeros are too. */
  sums: readonly (TokenCounts | undefined)[]
  /** For a call that reports: the nearest calls below it that report, on each way down. */
  frontiers: readonly (readonly number[])[]
  /** For a call of the clients' wire that reports: the nearest such calls below it, on each way down. */
  wireFrontiers: readonly (readonly number[])[]
}

/** Takes time in proportion to the calls: each is in the frontier of one call at most. */
export function readReported(nodes: readonly TraceNode[], links: ParentLinks): ReportedUsage {
  const sums = nodes.map(({ usage }) => {
    const sum = sumOf(usage)
    return hasTokens(sum) ? sum : undefined
  })
  const isOfWire = (index: number) => sums[index] !== undefined && nodes[index]!.wire === 'client'
  return {
    sums,
    frontiers: frontiersOf(links, (index) => sums[index] !== undefined),
    wireFrontiers: frontiersOf(links, isOfWire),
  }
}

/** Most calls that report name one model. */
function sumOf(usage: readonly ModelCounts[]): TokenCounts {
  const [first, ...others] = usage
  return first === undefined ? noTokens : others.reduce((total, { counts }) => addCounts(total, counts), first.counts)
}

/** For each call with the property, the nearest calls below it that have it. */
function frontiersOf({ parents, order }: ParentLinks, isOne: (index: number) => boolean): number[][] {
  const frontiers: number[][] = Array.from(parents, () => [])
  const nearestAbove = new Int32Array(parents.length).fill(-1)
  for (const index of order) {
    const parent = parents[index]!
    if (parent < 0) continue
    const nearest = isOne(parent) ? parent : nearestAbove[parent]!
    nearestAbove[index] = nearest
    if (nearest >= 0 && isOne(index)) frontiers[nearest]!.push(index)
  }
  return frontiers
}
