import type { CallKey } from '../../records/calls/calls-store.ts'
import { isSampled } from './is-sampled.ts'

/** The first calls of a page, and which of them are scored. */
export interface TakenPage {
  calls: readonly CallKey[]
  chosen: readonly string[]
}

/**
 * Takes calls from the beginning of a page, in the order of their versions, at most `maxChosen` of which are scored. Calls of one version are kept
 * together, so that a watermark can separate the taken calls from the rest.
 */
export function takePage(
  page: readonly CallKey[],
  { monitor, rate, maxChosen }: { monitor: string; rate: number; maxChosen: number },
): TakenPage {
  const chosen: string[] = []
  let taken = { calls: 0, chosen: 0 }
  for (const [at, { id, version }] of page.entries()) {
    if (isSampled(monitor, id, rate)) chosen.push(id)
    if (chosen.length > maxChosen) break
    const isLastOfVersion = page[at + 1]?.version !== version
    if (isLastOfVersion) taken = { calls: at + 1, chosen: chosen.length }
  }
  return { calls: page.slice(0, taken.calls), chosen: chosen.slice(0, taken.chosen) }
}
