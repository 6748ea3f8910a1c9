/** The definition of an evaluation. */
export interface Definition {
  objectId: string
  name: string
  /** Reference to it; empty without one. */
  dataset: string
  /** References to them. */
  scorers: string[]
  /** Null if it is not set. */
  trials: number | null
  createdAt: string
}

/** Values of other programs may have any shape. */
export function toDefinition(objectId: string, value: unknown, createdAt: string): Definition {
  const { name, dataset, scorers, trials } = Object(value) as Record<string, unknown>
  return {
    objectId,
    name: typeof name === 'string' && name !== '' ? name : objectId,
    dataset: typeof dataset === 'string' ? dataset : '',
    scorers: Array.isArray(scorers) ? scorers.filter((scorer) => typeof scorer === 'string') : [],
    trials: typeof trials === 'number' ? trials : null,
    createdAt,
  }
}
