import { inject } from 'vitest'
import './provided-context.ts'

/**
 * Cases of a table that are refused before the store is used: all of them if `isWhole`, such as on the first of several stores, otherwise every fifth,
 * but all of them everywhere in `npm run test:long`.
 */
export function sliceOfCases<T extends unknown[] | [unknown] | object | string | number | boolean>(
  cases: readonly T[],
  { isWhole }: { isWhole: boolean },
): readonly T[] {
  return isWhole || inject('long') ? cases : cases.filter((_, at) => at % 5 === 0)
}
