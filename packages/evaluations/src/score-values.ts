/** A number or a boolean in the scores of a trial. */
export interface ScoreValue {
  /** Name of the scorer and, with a dot before each, the keys inside its output. */
  name: string
  value: number | boolean
}

/** The values of a trial's scores, in their order. Texts, lists, null and numbers that are not finite are none. */
export function scoreValues(scores: Readonly<Record<string, unknown>>): ScoreValue[] {
  const values: ScoreValue[] = []
  addValues(values, scores, '')
  return values
}

function addValues(values: ScoreValue[], scores: Readonly<Record<string, unknown>>, before: string): void {
  for (const [key, value] of Object.entries(scores)) {
    const name = before + key
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) values.push({ name, value })
    else if (isRecord(value)) addValues(values, value, `${name}.`)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
