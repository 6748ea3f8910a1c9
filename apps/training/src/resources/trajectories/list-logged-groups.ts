import type { LoggedTrajectoryGroup } from '@heddle/core-api/types'
import { stringifyJson } from '@heddle/json'
import { inSlices } from '../../body-threads/in-slices.ts'
import { parseExactly } from '../../json-text/parse-exactly.ts'
import { readLines } from '../../json-text/read-lines.ts'
import { createPacer } from '../../training/pacer.ts'
import type { StoredGroup } from './logged-group.ts'

/** Fields of a group on the wire that are not in the stored content. */
export type GroupHead = Pick<LoggedTrajectoryGroup, 'id' | 'split' | 'step' | 'created_at'>

/** The JSON of a list of groups as the wire has them, in slices. The content has a line for each, in their order. */
export function listLoggedGroups(
  content: AsyncIterable<Uint8Array>,
  { groups }: { groups: readonly GroupHead[] },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  return inSlices(writeGroups(content, groups, signal))
}

async function* writeGroups(content: AsyncIterable<Uint8Array>, groups: readonly GroupHead[], signal: AbortSignal): AsyncGenerator<string> {
  const pace = createPacer(signal)
  let place = 0
  yield '['
  for await (const line of readLines(content)) {
    await pace()
    const head = groups[place]!
    const { trajectories, ...rest } = parseExactly(line) as StoredGroup
    yield `${place++ === 0 ? '' : ','}${stringifyJson({ ...rest, ...head }).slice(0, -1)},"trajectories":[`
    for (const [at, trajectory] of trajectories.entries()) {
      await pace()
      yield `${at === 0 ? '' : ','}${stringifyJson({ id: `${head.id}:${at}`, ...trajectory })}`
    }
    yield ']}'
  }
  yield ']'
}
