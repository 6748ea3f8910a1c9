import { isOfTraces } from '../../../query/compile/compile-filter.ts'
import type { StatsScope } from './calls-stats-store.ts'

/** Statistics of traces cover usage that counts; those of calls cover each call's reported usage, unless they request the former. */
export const isCounted = ({ filter, counted_usage = false }: Pick<StatsScope, 'filter' | 'counted_usage'>) =>
  counted_usage || isOfTraces(filter)
