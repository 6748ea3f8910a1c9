import { createHash } from 'node:crypto'
import { type GroupLine, readGroupLines } from '@heddle/agent-instrumentation'
import { isApiError } from '@heddle/core-api'
import type { TrainingClient } from '../connect.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { describeLine } from './describe-line.ts'

export interface ImportTarget {
  modelId: string
  split: string
  path: string
}

export interface TrajectoryCounts {
  groups: number
  trajectories: number
}

/** Characters of JSON of one request; a larger group is sent alone. */
const maxCharacters = 8 * 2 ** 20

/**
 * Logs the groups of a file, a few MB at a time. The same file may be imported again, as after a failure: for 24 hours nothing is logged twice.
 * @throws UsageError that names the line and the place in it which is refused
 */
export async function importTrajectories(
  client: TrainingClient,
  target: ImportTarget,
  onProgress: (imported: TrajectoryCounts) => void,
): Promise<TrajectoryCounts> {
  const imported = { groups: 0, trajectories: 0 }
  for await (const chunk of chunksOf(readGroupLines(target.path))) {
    await sendChunk(client, target, chunk)
    imported.groups += chunk.length
    imported.trajectories += chunk.reduce((sum, { group }) => sum + group.trajectories.length, 0)
    onProgress(imported)
  }
  return imported
}

async function* chunksOf(lines: AsyncIterable<GroupLine>): AsyncGenerator<GroupLine[]> {
  let chunk: GroupLine[] = []
  let size = 0
  for await (const line of lines) {
    if (chunk.length > 0 && size + line.size > maxCharacters) {
      yield chunk
      chunk = []
      size = 0
    }
    chunk.push(line)
    size += line.size
  }
  if (chunk.length > 0) yield chunk
}

async function sendChunk(client: TrainingClient, { modelId, split, path }: ImportTarget, chunk: readonly GroupLine[]): Promise<void> {
  const groups = chunk.map(({ group }) => group)
  // Equal lines elsewhere in a file are separate groups.
  const key = createHash('sha256')
    .update(JSON.stringify(['import', modelId, split, chunk[0]?.line, groups]))
    .digest('hex')
  const request = { model_id: modelId, split, trajectory_groups: groups, 'idempotency-key': key }
  await client.trajectories.log(request as Parameters<typeof client.trajectories.log>[0]).catch((error: unknown) => {
    const issue = isApiError(error) ? error.issues?.[0] : undefined
    throw issue ? new UsageError(describeLine(issue, (group) => chunk[group], path)) : error
  })
}
