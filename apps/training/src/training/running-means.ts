/** Sums and counts by name, from which to resume. */
export type RunningSums = Record<string, { sum: number; count: number }>

/** Metrics that say where a step is in its job: a mean of them says nothing. */
const positions: ReadonlySet<string> = new Set(['gradient_step', 'epoch'])

/** Means of metrics over gradient steps, of those steps that have them. */
export class RunningMeans {
  readonly #sums: RunningSums

  constructor(sums: RunningSums = {}) {
    this.#sums = structuredClone(sums)
  }

  add(metrics: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(metrics)) {
      if (positions.has(name)) continue
      const entry = (this.#sums[name] ??= { sum: 0, count: 0 })
      entry.sum += value
      entry.count++
    }
  }

  sums(): RunningSums {
    return structuredClone(this.#sums)
  }

  means(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.#sums).map(([name, { sum, count }]) => [name, sum / count]))
  }
}
