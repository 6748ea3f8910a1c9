import type { Blobs } from '@heddle/datastore'
import { stringifyJson } from '@heddle/json'
import type { RecordedCallRow, RecordedTrajectoriesStore, RecordedTrajectoryRow } from './recorded-trajectories-store.ts'

type Work = Parameters<RecordedTrajectoriesStore['find']>[0]

export interface GroupSource {
  store: Pick<RecordedTrajectoriesStore, 'listEnded' | 'listCalls'>
  blobs: Pick<Blobs, 'read'>
}

export interface GroupPlace {
  model_id: string
  group_id: string
  rollout_id: string | null
}

/** A line before the content of a call, which is the next line. */
export type CallLine = Pick<RecordedCallRow, 'seq' | 'is_replaced' | 'base_seq' | 'started_at'>

/** Lines of a group: its trajectories, each before its calls. Open attempts are omitted. */
export type GroupLine = { trajectory: RecordedTrajectoryRow } | { call: CallLine }

/**
 * The stored form of a recorded group, as lines of JSON for `readRecordedGroup`. @throws StoreError `damaged` for a call whose content is missing or
 * damaged
 */
export async function* recordedGroupContent({ store, blobs }: GroupSource, work: Work, place: GroupPlace): AsyncGenerator<Uint8Array> {
  for (const trajectory of await store.listEnded(work, place.model_id, place.group_id, place.rollout_id)) {
    yield toLine({ trajectory })
    if (trajectory.status !== 'finished') continue
    for (const { sha256, ...call } of await store.listCalls(work, trajectory.model_id, trajectory.id)) {
      yield toLine({ call })
      for await (const part of await blobs.read(sha256, { signal: work.signal })) yield withoutBreaks(part as Uint8Array)
      yield lineEnd
    }
  }
}

const lineEnd = Buffer.from('\n')
const toLine = (line: GroupLine) => Buffer.from(`${stringifyJson(line)}\n`)

const lineFeed = 10
const space = 32

/** In JSON, line breaks are only between tokens. */
function withoutBreaks(part: Uint8Array): Uint8Array {
  return part.includes(lineFeed) ? part.map((byte) => (byte === lineFeed ? space : byte)) : part
}
