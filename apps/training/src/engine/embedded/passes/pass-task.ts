import type { KernelView } from '../kernels/kernel-view.ts'
import type { Address } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import type { Activations } from './activations.ts'
import { backwardPass } from './backward.ts'
import { forwardPass } from './forward.ts'
import type { PackedRows } from './packed-rows.ts'
import type { Workspace } from './workspace.ts'
import type { Work } from '../work.ts'

/** A pass over a part of a batch with the memory for it. Plain data, which other threads get. */
export interface PassTask {
  rows: PackedRows
  activations: Activations
  work: Workspace
  /** Whether a backward pass uses the activations: this one, or a later one that finds them kept. */
  forBackward: boolean
  /** Null for a forward pass. */
  backward: {
    /** Coefficients of the scored rows. */
    coefficients: Float32Array
    /** The gradient buffer to add to. */
    gradients: Address
    /** Whether the activations were not kept. */
    repeatForward: boolean
  } | null
}

/** Values of the scored rows. */
export interface PassResult {
  logProbabilities: Float32Array
  entropies: Float32Array
}

export function* runPass(
  view: KernelView,
  model: ModelParameters,
  { rows, activations, work, forBackward, backward }: PassTask,
): Work<PassResult> {
  const pass = { view, model, rows, activations, work, forBackward }
  if (!backward || backward.repeatForward) yield* forwardPass(pass)
  const read = (start: Address) => view.floats(start, rows.scoredRows.length).slice()
  const result = { logProbabilities: read(activations.logProbabilities), entropies: read(activations.entropies) }
  if (backward) yield* backwardPass(pass, backward.coefficients, backward.gradients)
  return result
}
