/** False for a text with NUL: it is in no row, and PostgreSQL refuses to look for one. */
export function isStorable(text: string): boolean {
  return !text.includes('\0')
}

/** The texts of a column that holds a JSON list of them. */
export function readTexts(json: string): string[] {
  return JSON.parse(json) as string[]
}
