import { inject } from 'vitest'

/** True in `npm run test:browser`, where all cases run. */
export const isWholeRun = inject('allBrowserCases')

/** For `test.each`: once in a run of all cases, and never in `npm test`. */
export const inWholeRuns = isWholeRun ? [undefined] : []

/** The colours in which pages are looked at. */
export const colorSchemes = isWholeRun ? (['light', 'dark'] as const) : (['light'] as const)
