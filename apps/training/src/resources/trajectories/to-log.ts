import { stringifyJson } from '@heddle/json'
import { readGroups } from '../../request-body/read-groups.ts'
import type { Trajectory } from '../../sequences/trajectory.ts'
import { createPacer } from '../../training/pacer.ts'
import { addGroup, type MetricSums, newMetricSums } from '../checkpoints/group-metrics.ts'
import { historiesOf, namesOf, type SentTrajectory, toStoredTrajectory } from './logged-group.ts'

export interface LogLine {
  /** JSON of a group, as it is kept. */
  line: Uint8Array
  names: { kind: string; name: string }[]
}

/** The groups of a body that was checked, as lines without the fields that only training uses; then the sums from which the metrics follow. */
export async function* toLog(
  content: AsyncIterable<Uint8Array>,
  _: null,
  signal: AbortSignal,
): AsyncGenerator<LogLine | { sums: MetricSums }> {
  const pace = createPacer(signal)
  const sums = newMetricSums()
  const read = (sent: Trajectory) => toStoredTrajectory(sent as SentTrajectory, historiesOf(sent))
  for await (const group of readGroups(content, read)) {
    await pace()
    addGroup(sums, group)
    yield { line: Buffer.from(`${stringifyJson(group)}\n`), names: namesOf(group) }
  }
  yield { sums }
}
