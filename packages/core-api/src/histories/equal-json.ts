/** Whether two values of JSON are equal, their keys in the same order. Quick to say so of equal ones. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  return areEqualMembers(one as Record<string, unknown>, other as Record<string, unknown>)
}

/** Lists of entries would cost more than the comparison. */
function areEqualMembers(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(one)
  const others = Object.keys(other)
  if (keys.length !== others.length) return false
  return keys.every((key, place) => key === others[place] && isEqualJson(one[key], other[key]))
}
