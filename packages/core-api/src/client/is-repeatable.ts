import type { Operation } from '../operation.ts'

/** True when sending this request again, although the first may have been carried out, leaves the same as sending it once. */
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
