import type { KernelView } from '../kernels/kernel-view.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { decode, type DecodePart } from './decode.ts'

/** Threads that compute the rows of a step together. */
export interface DecodeTeam {
  /** Most threads that a step is divided between, this one included. */
  readonly maxSize: number
  /** Threads that are ready now, this one included. */
  readonly size: number
  /** Computes the parts, each in its own thread, and returns when all are done. At most `size` parts. */
  decode(model: ModelParameters, parts: readonly DecodePart[]): void
  /** Releases the threads' state of a model that is no longer sampled. */
  forget(model: ModelParameters): void
}

/** Computes everything in the calling thread. */
export function createSoloTeam(view: KernelView): DecodeTeam {
  return {
    maxSize: 1,
    size: 1,
    decode(model, parts) {
      for (const part of parts) decode({ view, model, ...part, barrier: null })
    },
    forget: () => undefined,
  }
}
