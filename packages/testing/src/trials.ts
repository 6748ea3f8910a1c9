import { inject } from 'vitest'
import './provided-context.ts'

/** How often a random trial runs: a few times in every run of the tests, with its full count in `npm run test:long`. */
export function trials({ usual, long }: { usual: number; long: number }): number {
  return inject('long') ? long : usual
}
