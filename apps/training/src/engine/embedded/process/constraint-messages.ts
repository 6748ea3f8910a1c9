import type { Constraint } from '../../../constrained/constraint.ts'
import type { EngineErrorKind } from '../../engine.ts'

/** What completions of one request have in common. */
export interface ConstraintOfRequest {
  request: number
  /** Folder of the base model. */
  folder: string
  constraint: Constraint
  stopTokens: readonly number[]
}

export type ToConstraints =
  /** Begins a completion. `mask` is shared: the permitted tokens are written there before the answer. */
  | { kind: 'start'; completion: number; of: ConstraintOfRequest; mask: Uint8Array }
  | { kind: 'accept'; completion: number; token: number }
  /** Ends a completion, which has no answer. */
  | { kind: 'end'; completion: number }
  /** Ends a request, whose completions have ended. */
  | { kind: 'forget'; request: number }

export type FromConstraints =
  /** The number of permitted next tokens, and whether the text is complete and only a stop token may follow. */
  | { kind: 'allowed'; completion: number; count: number; mustEnd: boolean }
  | { kind: 'failed'; completion: number; error: { kind: EngineErrorKind; message: string } }
