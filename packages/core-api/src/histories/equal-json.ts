/** Whether two values of JSON are equal, their keys in the same order. Quick to say so of equal ones. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const entries = Object.entries(one)
  const others = Object.entries(other)
  return (
    entries.length === others.length &&
    entries.every(([key, value], place) => key === others[place]?.[0] && isEqualJson(value, others[place][1]))
  )
}
