import type { Blobs, StagedBlob } from '@heddle/datastore'
import { readGroups } from '../../request-body/read-groups.ts'
import { createPacer } from '../../training/pacer.ts'
import { addGroup, type MetricSums, newMetricSums } from './group-metrics.ts'
import { namesOf, toStoredGroup } from './logged-group.ts'

export interface WrittenLog {
  /** A line of JSON for each group. */
  staged: StagedBlob
  groups: { firstByte: number; lastByte: number; names: { kind: string; name: string }[] }[]
  sums: MetricSums
}

/** Writes the groups of a body that was checked, without what is only of use in training. */
export async function writeLog(content: AsyncIterable<Uint8Array>, blobs: Blobs, signal: AbortSignal): Promise<WrittenLog> {
  const pace = createPacer(signal)
  const sums = newMetricSums()
  const groups: WrittenLog['groups'] = []
  let at = 0
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const sent of readGroups(content)) {
      await pace()
      const stored = toStoredGroup(sent)
      addGroup(sums, sent)
      const line = Buffer.from(`${JSON.stringify(stored)}\n`)
      groups.push({ firstByte: at, lastByte: at + line.length - 1, names: namesOf(stored) })
      at += line.length
      yield line
    }
  }
  return { staged: await blobs.stage(lines()), groups, sums }
}
