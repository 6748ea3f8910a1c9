/** Whether a JSON value holds more than `most` values, itself included. Looks at no more than that. */
export function hasManyValues(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return most < 1
  const waiting: object[] = [value]
  let count = 1
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const member of Array.isArray(next) ? (next as unknown[]) : Object.values(next)) {
      if (++count > most) return true
      if (typeof member === 'object' && member !== null) waiting.push(member)
    }
  }
  return count > most
}
