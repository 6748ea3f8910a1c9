/** Rows, ids or texts of one statement: it may block the thread. */
const valuesAtOnce = 500

/** Parts of a list, each for one statement. */
export function* inParts<T>(values: readonly T[]): Generator<T[]> {
  for (let at = 0; at < values.length; at += valuesAtOnce) yield values.slice(at, at + valuesAtOnce)
}

/** False for a text with NUL: it is in no row, and PostgreSQL refuses to look for one. */
export function isStorable(text: string): boolean {
  return !text.includes('\0')
}

/** The texts of a column that holds a JSON list of them. */
export function readTexts(json: string): string[] {
  return JSON.parse(json) as string[]
}
