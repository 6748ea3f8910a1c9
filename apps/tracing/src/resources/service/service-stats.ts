import { forbidden } from '@heddle/core-api/internal'
import { type Caller, isOperator } from '@heddle/identity'
import type { RawRoute } from '@heddle/service-kit'
import type { CacheStats } from '../../cache-stats.ts'

/** What an operator sees of a running server. */
export interface ServiceStats {
  caches: readonly CacheStats[]
}

/** `GET /service/stats`: for operators alone, since it tells how much all projects hold together. */
export function serviceStatsRoute(read: () => ServiceStats): RawRoute<Caller> {
  return {
    name: 'service.stats',
    method: 'GET',
    path: '/service/stats',
    handle(_request: Request, caller: Caller) {
      if (!isOperator(caller.access)) throw forbidden('stats require an admin key for all projects')
      return Response.json(read())
    },
  }
}
