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
    const number = numberOf(value)
    if (typeof value === 'boolean') values.push({ name, value })
    else if (number !== undefined) {
      if (Number.isFinite(number)) values.push({ name, value: number })
    } else if (isRecord(value)) addValues(values, value, `${name}.`)
  }
}

/** The nearest number of JavaScript, also of a number that its reader kept as it was sent. Undefined for all else. */
function numberOf(value: unknown): number | undefined {
  const number: unknown = typeof value === 'object' && value !== null ? value.valueOf() : value
  return typeof number === 'number' ? number : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
