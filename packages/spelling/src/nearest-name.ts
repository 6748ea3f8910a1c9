import { closest, distance } from 'fastest-levenshtein'

/** Characters of a name that are compared. */
const maxCharacters = 60

/**
 * The known name that was probably meant, regardless of case: the one with the fewest edits, the first of several. Undefined where more than half of
 * the longer name would change, unless the name contains the known one.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, maxCharacters).toLowerCase()
  const lowerCase = known.map((one) => one.toLowerCase())
  const best = closest(wanted, lowerCase)
  if (best === undefined) return undefined
  const isPart = best.length > 2 && wanted.includes(best)
  return isPart || distance(wanted, best) <= Math.max(best.length, wanted.length) / 2 ? known[lowerCase.indexOf(best)] : undefined
}
