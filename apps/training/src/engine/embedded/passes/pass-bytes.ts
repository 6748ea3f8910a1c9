import { Arena } from '../kernels/arena.ts'
import type { Kernels } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { allocateActivations } from './activations.ts'
import type { PackedRows } from './packed-rows.ts'
import { allocateWorkspace } from './workspace.ts'

/** Bytes that the forward pass of a part of a batch keeps for its backward pass. */
export function activationBytes(model: ModelParameters, rows: PackedRows): number {
  const arena = Arena.measuring()
  allocateActivations({ model, rows, backward: true }, arena)
  return arena.peakBytes
}

/** Bytes of one thread that trains on a part of a batch: its workspace, and activations that are not kept. */
export function threadBytes(model: ModelParameters, rows: PackedRows, kernels: Kernels): number {
  const arena = Arena.measuring()
  allocateWorkspace({ model, rows, kernels, backward: true }, arena)
  allocateActivations({ model, rows, backward: true }, arena)
  return arena.peakBytes
}

/** Bytes of scoring a part of a batch, of which nothing is kept for gradients. */
export function scoringBytes(model: ModelParameters, rows: PackedRows, kernels: Kernels): number {
  const arena = Arena.measuring()
  allocateWorkspace({ model, rows, kernels, backward: false }, arena)
  allocateActivations({ model, rows, backward: false }, arena)
  return arena.peakBytes
}
