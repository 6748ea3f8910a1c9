import { setTimeout as delay } from 'node:timers/promises'
import type { Analytical } from '@heddle/datastore'
import { compareTraces } from '@heddle/tracing'
import { type Finding, ok, warning } from './finding.ts'

const name = 'Traces'
/** Longer than a server takes to settle what it has written. */
export const settlingMs = 10_000
const shown = 5

/**
 * Compares the derived rows of some traces with those computed from their calls, and those that differ again after a pause, in which a server that writes
 * settles what it has written. Nothing where the tables of a version before are still to be made.
 */
export async function* compareDerived(analytical: Pick<Analytical, 'rows'>, pauseMs: number): AsyncGenerator<Finding> {
  const { compared, different } = await compareTraces(analytical, () => delay(pauseMs))
  const [first] = different
  if (first === undefined) yield ok(name, `${compared} traces compared with their calls`)
  else
    yield warning(
      name,
      `${different.length} of ${compared} traces have totals that do not follow from their calls: ${different.slice(0, shown).join(', ')}${different.length > shown ? ', …' : ''}`,
      'stop the server and run heddle rebuild traces; no call is lost',
    )
}
