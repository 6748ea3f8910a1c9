import { setTimeout as delay } from 'node:timers/promises'
import type { Analytical } from '@heddle/datastore'
import { compareTraces } from '@heddle/tracing'
import { type Finding, ok, warning } from './finding.ts'

const name = 'Traces'
/** Longer than a server takes to settle what it has written. */
const pauseMs = 10_000
const shown = 5

/** Compares the derived rows of some traces with those computed from their calls. Nothing where the tables of a version before are still to be made. */
export async function* compareDerived(analytical: Pick<Analytical, 'rows'>): AsyncGenerator<Finding> {
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
