import type { EncodedSpan } from '../encoding/span-encoding.ts'
import type { ReadableSpan } from '../spans/readable-span.ts'
import type { Receipt } from './receipt.ts'

/** A queued span. */
export interface QueuedSpan extends EncodedSpan {
  name: string
  /** True for the least informative spans: not a root, and not about a model. They are dropped first. */
  expendable: boolean
  /** Increases with every span. */
  sequence: number
  /** The span itself, kept for large ones that may have to be shortened. */
  source: ReadableSpan | undefined
  /** Notified of the outcome. */
  receipt: Receipt | undefined
  /** Whether its outcome was reported. */
  isSettled: boolean
}
