import { Area } from '../kernels/area.ts'
import type { Kernels } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { layOutActivations } from './activations.ts'
import type { PackedRows } from './packed-rows.ts'
import { layOutWorkspace } from './workspace.ts'

/** Bytes of what the forward pass of a part of a batch leaves for its backward pass. */
export function activationBytes(model: ModelParameters, rows: PackedRows): number {
  const area = Area.measuring()
  layOutActivations(model, rows, area, true)
  return area.peakBytes
}

/** Bytes of one thread that trains on a part of a batch: its workspace, and activations that are not kept. */
export function threadBytes(model: ModelParameters, rows: PackedRows, kernels: Kernels): number {
  const area = Area.measuring()
  layOutWorkspace({ model, rows, kernels, backward: true }, area)
  layOutActivations(model, rows, area, true)
  return area.peakBytes
}
