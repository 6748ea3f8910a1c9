import { createHash } from 'node:crypto'
import type { Caller } from '@heddle/identity'
import type { RepeatableRequest } from './repeats-store.ts'

interface RepeatableInput {
  caller: Caller
  /** As in the contract, `models.create`. */
  operation: string
  key: string | undefined
  /** Content of the request, as JSON. */
  content: unknown
}

/** A request with an `Idempotency-Key`; undefined without one. Keys are of one API key and operation. */
export function toRepeatable({ caller, operation, key, content }: RepeatableInput): RepeatableRequest | undefined {
  if (key === undefined) return undefined
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return { scope: `${caller.keyId} ${operation}`, key, fingerprint }
}
