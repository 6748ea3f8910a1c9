import type { PairedCounts } from './paired-counts.ts'

/**
 * Two-sided p-value of the exact McNemar test: how probable rows that changed are to be split at least this unevenly, when each goes
 * either way with equal probability (Q. McNemar, Psychometrika 12:153, 1947; exact form: twice the smaller binomial tail, at most 1).
 * 1 when no row changed.
 */
export function mcnemarExact({ onlyFirst, onlySecond }: Pick<PairedCounts, 'onlyFirst' | 'onlySecond'>): number {
  const changed = onlyFirst + onlySecond
  // Logarithms, since 2 ** -changed is 0 in a double from 1075 on.
  let logTerm = -changed * Math.LN2
  let tail = Math.exp(logTerm)
  for (let count = 1; count <= Math.min(onlyFirst, onlySecond); count++) {
    logTerm += Math.log((changed - count + 1) / count)
    tail += Math.exp(logTerm)
  }
  return Math.min(1, 2 * tail)
}
