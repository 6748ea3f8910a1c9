import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `npm run test:long`. */
    long: boolean
  }
}

/** How often a random trial runs: a few times in every run of the tests, with its full count in `npm run test:long`. */
export function trials({ usual, long }: { usual: number; long: number }): number {
  return inject('long') ? long : usual
}
