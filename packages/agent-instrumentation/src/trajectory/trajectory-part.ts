import type { Exchange } from '@heddle/core-api/histories'
import { parseObject } from '../capture/json-values.ts'
import { TrajectoryMisuse } from '../misuse-error.ts'
import type { NotesData } from './notes.ts'

/** A model call as it is handed from one process to another. */
export interface PartCall extends Exchange {
  policyVersion: number | undefined
}

/** The part of a trajectory that was recorded in another thread, process or service. */
export interface TrajectoryPart {
  format: 1
  /** The same part is joined once. */
  id: string
  trajectoryId: string
  calls: PartCall[]
  notes: NotesData
}

/** @throws TrajectoryMisuse for a text that is not part of this trajectory */
export function readPart(trajectoryId: string, text: string): TrajectoryPart {
  const part = parseObject(text) as Partial<TrajectoryPart> | undefined
  if (part?.format !== 1 || !Array.isArray(part.calls) || !part.notes)
    throw new TrajectoryMisuse(trajectoryId, 'join takes the text that finish() of a continued trajectory returned')
  if (part.trajectoryId !== trajectoryId)
    throw new TrajectoryMisuse(trajectoryId, `the part belongs to trajectory ${String(part.trajectoryId)}; join it there`)
  return part as TrajectoryPart
}
