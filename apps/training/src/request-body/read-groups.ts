import type { Trajectory } from '../sequences/trajectory.ts'
import { readPieces } from './read-pieces.ts'

/** A trajectory group as it was sent, after its shape was checked. */
export interface SentGroup {
  trajectories: Trajectory[]
  exceptions: unknown[]
  metrics: Record<string, unknown>
  metadata: Record<string, unknown>
  logs: string[]
}

/** The groups of a body that was checked, one after the other. */
export async function* readGroups(content: AsyncIterable<Uint8Array>): AsyncGenerator<SentGroup> {
  let fields: Record<string, unknown> = {}
  let trajectories: Trajectory[] = []
  for await (const piece of readPieces(content)) {
    if (piece.at === 'field') fields[piece.key] = JSON.parse(piece.text)
    if (piece.at === 'trajectory') trajectories.push(JSON.parse(piece.text) as Trajectory)
    if (piece.at !== 'group end') continue
    yield { ...toFields(fields), trajectories }
    fields = {}
    trajectories = []
  }
}

function toFields(fields: Record<string, unknown>): Omit<SentGroup, 'trajectories'> {
  return {
    exceptions: (fields['exceptions'] as unknown[] | null | undefined) ?? [],
    metrics: (fields['metrics'] as Record<string, unknown> | null | undefined) ?? {},
    metadata: (fields['metadata'] as Record<string, unknown> | null | undefined) ?? {},
    logs: (fields['logs'] as string[] | null | undefined) ?? [],
  }
}
