import { valueAt } from '@heddle/core-api/internal'

/** How often feedback of one type has each text at a path of its payload. */
export interface Categories {
  path: string
  /** The most frequent first. */
  values: { value: string; count: number }[]
}

const maxCategories = 12
const maxCharacters = 40

/** The paths whose texts are categories: few different ones, all of them short, of which at least one occurs twice. Other texts are free. */
export function categoriesOf(paths: readonly string[], payloads: readonly unknown[]): Categories[] {
  return paths.flatMap((path) => {
    const counts = new Map<string, number>()
    for (const payload of payloads) {
      const value = valueAt(payload, path)
      if (typeof value === 'string' && value.trim() !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const values = [...counts].map(([value, count]) => ({ value, count })).sort((one, other) => other.count - one.count)
    const areFew = values.length <= maxCategories && values.every(({ value }) => value.length <= maxCharacters)
    return areFew && values.some(({ count }) => count > 1) ? [{ path, values }] : []
  })
}
