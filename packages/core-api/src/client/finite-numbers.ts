/**
 * JSON has no NaN or infinities, and its writers replace them by null, which would mean an omitted field.
 * @throws TypeError that names the first such number by its path
 */
export function assertFiniteNumbers(body: unknown): void {
  const path = findNonFinite(body)
  if (path === undefined) return
  const value = path.reduce((inside: unknown, key) => (inside as Record<string, unknown>)[key], body)
  throw new TypeError(
    `${path.join('.')} is ${String(value)}, but JSON can hold only finite numbers: send a finite number, or null for no value`,
  )
}

/** The value must have been written as JSON before, so that nothing in it leads back to itself. */
function findNonFinite(value: unknown): string[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : []
  // Objects that serialize themselves, such as dates, are not visited.
  if (typeof value !== 'object' || value === null || 'toJSON' in value || ArrayBuffer.isView(value)) return undefined
  for (const key in value) {
    const inside = findNonFinite((value as Record<string, unknown>)[key])
    if (inside) return [key, ...inside]
  }
  return undefined
}

/**
 * Options and parameters: a limit that is not a number would hold nothing back, and an address would have the word NaN.
 * @throws RangeError that names the first number that is NaN or infinite, alone or in a list
 */
export function assertFiniteOptions(options: object): void {
  for (const [name, value] of Object.entries(options))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof one === 'number' && !Number.isFinite(one)) throw new RangeError(`${name} must be a finite number, got ${one}`)
}
