/** The name with the fewest edits to the given one; undefined where more than half of its characters differ. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 60).toLowerCase()
  const [best] = known.map((one) => ({ one, edits: editsBetween(wanted, one.toLowerCase()) })).toSorted((a, b) => a.edits - b.edits)
  if (!best) return undefined
  const isPart = best.one.length > 2 && wanted.includes(best.one.toLowerCase())
  return isPart || best.edits <= Math.max(best.one.length, wanted.length) / 2 ? best.one : undefined
}

/** Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[other.length] ?? 0
}
