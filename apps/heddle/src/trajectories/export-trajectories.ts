import { open, rename, rm } from 'node:fs/promises'
import type { TrainingClient } from '../connect.ts'
import { entriesOf } from '../training/entries-of.ts'
import { toWireGroup } from './to-wire-group.ts'

/** Which trajectories of a model are exported. */
export interface ExportSource {
  modelId: string
  /** Exports the trajectories that the server recorded, with log-probabilities, instead of the logged ones. */
  recorded: boolean
  split: string | null
  step: number | null
  group: string | null
  rollout: string | null
}

/** Logged groups that are held at a time. */
const pageSize = 5

/** Groups as lines of JSON, one after the other: logged ones with the newest first, recorded ones with the oldest. */
export async function* exportLines(client: TrainingClient, source: ExportSource): AsyncGenerator<string> {
  const groups = source.recorded ? recordedGroups(client, source) : loggedGroups(client, source)
  for await (const group of groups) yield `${JSON.stringify(group)}\n`
}

async function* recordedGroups(client: TrainingClient, { modelId, group, rollout }: ExportSource): AsyncGenerator<object> {
  yield* client.recordedTrajectories.groups({ model_id: modelId, group_id: group, rollout_id: rollout }, { timeoutMs: 600_000 })
}

async function* loggedGroups(client: TrainingClient, { modelId, split, step }: ExportSource): AsyncGenerator<object> {
  const list = (after: string | null) => client.trajectories.list({ model_id: modelId, split, step, after, limit: pageSize })
  for await (const group of entriesOf(list)) yield toWireGroup(group)
}

/** Writes the lines to a new file, which is there once all of it is. @throws Error `EEXIST` where it is there already */
export async function writeLines(path: string, lines: AsyncIterable<string>, onLine: (count: number) => void): Promise<number> {
  const target = await open(path, 'wx', 0o600)
  const part = `${path}.part`
  try {
    const file = await open(part, 'w', 0o600)
    let count = 0
    try {
      for await (const line of lines) {
        await file.write(line)
        onLine(++count)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
    return count
  } catch (error) {
    await rm(part, { force: true })
    await rm(path, { force: true })
    throw error
  } finally {
    await target.close()
  }
}
