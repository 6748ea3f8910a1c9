import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** True when random trials run with their full counts. */
    long: boolean
  }
}

/** How many random trials to run: few as usual, all of them where the run asks for it. */
export function trials({ usual, long }: { usual: number; long: number }): number {
  return inject('long') ? long : usual
}
