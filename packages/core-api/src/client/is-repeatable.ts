import type { Route } from '../routes/route.ts'

/** True when the request is idempotent, so that it can be retried although the first attempt may have been carried out. */
export function isRepeatable(route: Route, input: unknown): boolean {
  if (route.repeat === undefined) return true
  return route.repeat !== 'adds' && hasIds(input, route.repeat.idAt)
}

function hasIds(value: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path
  if (step === undefined) return typeof value === 'string' && value !== ''
  if (step === '*') return !Array.isArray(value) || value.every((item) => hasIds(item, rest))
  // Where the parent is absent there is nothing that needs an id.
  if (typeof value !== 'object' || value === null) return true
  return hasIds((value as Record<string, unknown>)[step], rest)
}
