import type { Trajectory } from '../sequences/trajectory.ts'
import { parseExactly } from '../json-text/parse-exactly.ts'
import { parseTrajectory } from './parse-trajectory.ts'
import type { BodyPiece } from './body-splitter.ts'
import { readPieces } from './read-pieces.ts'

/** Fields of a group as they were sent, after their shape was checked. */
export interface SentGroupFields {
  exceptions: unknown[]
  metrics: Record<string, unknown>
  metadata: Record<string, unknown>
  logs: string[]
}

/** A group with a converted form of its trajectories, one after the other: the originals are too large to be held together. */
export interface ReadGroup<T> extends SentGroupFields {
  trajectories: T[]
}

/** The groups of a body that was checked, one after the other. */
export async function* readGroups<T>(content: AsyncIterable<Uint8Array>, read: (sent: Trajectory) => T): AsyncGenerator<ReadGroup<T>> {
  let fields: Record<string, unknown> = {}
  let trajectories: T[] = []
  for await (const piece of readPieces(content)) {
    if (piece.at === 'field') fields[piece.key] = parseExactly(piece.text)
    if (piece.at === 'trajectory') trajectories.push(read(parseTrajectory(piece.text)))
    if (piece.at !== 'group end') continue
    yield { ...toFields(fields), trajectories }
    fields = {}
    trajectories = []
  }
}

/** The trajectories of each group of a checked body. A group's trajectories must be read before the next group. */
export async function* readTrajectories(content: AsyncIterable<Uint8Array>): AsyncGenerator<{ trajectories: AsyncIterable<Trajectory> }> {
  const pieces = readPieces(content)
  async function* ofGroup(): AsyncGenerator<Trajectory> {
    for (let piece = await pieces.next(); !piece.done && piece.value.at !== 'group end'; piece = await pieces.next())
      if (piece.value.at === 'trajectory') yield parseTrajectory(piece.value.text)
  }
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next())
    if (beginsGroup(piece.value)) yield { trajectories: ofGroup() }
}

/** In a checked body each group has a list of trajectories. */
const beginsGroup = ({ at }: BodyPiece) => at === 'trajectories'

function toFields(fields: Record<string, unknown>): SentGroupFields {
  return {
    exceptions: (fields['exceptions'] as unknown[] | null | undefined) ?? [],
    metrics: (fields['metrics'] as Record<string, unknown> | null | undefined) ?? {},
    metadata: (fields['metadata'] as Record<string, unknown> | null | undefined) ?? {},
    logs: (fields['logs'] as string[] | null | undefined) ?? [],
  }
}
