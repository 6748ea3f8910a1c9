import { text } from '../../lib/search.ts'

/** A condition on the trials of one run. */
export interface RunFilter {
  /** Id of the run. */
  in: string
  filter: string
}

/** Most further conditions, each about its own run. */
export const maxRunFilters = 7

/** Reads further conditions of an address; those without a run or a text are ignored. Undefined if none is left. */
export function readRunFilters(value: unknown): RunFilter[] | undefined {
  const filters = (Array.isArray(value) ? value : []).slice(0, maxRunFilters).flatMap((one: unknown): RunFilter[] => {
    const given = Object(one) as Record<string, unknown>
    const [run, filter] = [text(given['in']), text(given['filter'])]
    return run === undefined || filter === undefined ? [] : [{ in: run, filter }]
  })
  return filters.length > 0 ? filters : undefined
}
