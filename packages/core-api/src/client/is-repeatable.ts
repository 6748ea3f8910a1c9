import type { Operation } from '../operation.ts'

/** True when the request is idempotent, so that it can be retried although the first attempt may have been carried out. */
export function isRepeatable(operation: Operation, input: unknown): boolean {
  if (operation.repeat === undefined) return true
  return operation.repeat !== 'adds' && hasIds(input, operation.repeat.idAt)
}

function hasIds(value: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path
  if (step === undefined) return typeof value === 'string' && value !== ''
  if (step === '*') return !Array.isArray(value) || value.every((item) => hasIds(item, rest))
  // Where the parent is absent there is nothing that needs an id.
  if (typeof value !== 'object' || value === null) return true
  return hasIds((value as Record<string, unknown>)[step], rest)
}
