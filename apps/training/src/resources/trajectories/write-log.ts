import type { Blobs, StagedBlob } from '@heddle/datastore'
import { type MetricSums, newMetricSums } from '../checkpoints/group-metrics.ts'
import type { LogLine } from './to-log.ts'

export interface WrittenLog {
  /** A line of JSON for each group. */
  staged: StagedBlob
  groups: { firstByte: number; lastByte: number; names: LogLine['names'] }[]
  sums: MetricSums
}

/** Writes the lines of a log, one after the other. */
export async function writeLog(log: AsyncIterable<LogLine | { sums: MetricSums }>, blobs: Blobs): Promise<WrittenLog> {
  let sums = newMetricSums()
  const groups: WrittenLog['groups'] = []
  let at = 0
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const part of log) {
      if ('sums' in part) {
        ;({ sums } = part)
        continue
      }
      const { line, names } = part
      groups.push({ firstByte: at, lastByte: at + line.length - 1, names })
      at += line.length
      yield line
    }
  }
  return { staged: await blobs.stage(lines()), groups, sums }
}
