import type { Constraint, EngineErrorKind } from '../../engine.ts'

/** What completions of one request have in common. */
export interface ConstraintOfRequest {
  request: number
  /** Of the base model. */
  folder: string
  constraint: Constraint
  stopTokens: readonly number[]
}

export type ToConstraints =
  /** Begins a completion. `mask` is shared: what may come next is written there before the answer. */
  | { kind: 'start'; completion: number; of: ConstraintOfRequest; mask: Uint8Array }
  | { kind: 'accept'; completion: number; token: number }
  /** Ends a completion, which has no answer. */
  | { kind: 'end'; completion: number }
  /** Ends a request, whose completions have ended. */
  | { kind: 'forget'; request: number }

export type FromConstraints =
  /** How many tokens may come next, and whether the text is complete and nothing but a stop token may follow. */
  | { kind: 'allowed'; completion: number; count: number; mustEnd: boolean }
  | { kind: 'failed'; completion: number; error: { kind: EngineErrorKind; message: string } }
