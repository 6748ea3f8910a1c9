import type { OpenRawRoute } from '@heddle/service-kit'
import type { Readiness } from './readiness.ts'

export const livePath = '/livez'
export const readyPath = '/readyz'

export interface HealthRoutesDeps {
  /** Why only a new process can help; undefined while this one can recover by itself. */
  whyDead: () => string | undefined
  readiness: Pick<Readiness, 'read'>
}

/**
 * Probes for load balancers and process managers. They need no key and wait for no queue. `/livez` answers 503 when the process should be
 * restarted; `/readyz` answers 503 while it cannot do its work, and names the parts that are not ready.
 */
export function healthRoutes({ whyDead, readiness }: HealthRoutesDeps): readonly OpenRawRoute[] {
  const live = () => {
    const reason = whyDead()
    return answer(reason === undefined, reason === undefined ? { status: 'ok' } : { status: 'failed', reason })
  }
  const ready = async () => {
    const { isReady, parts } = await readiness.read()
    return answer(isReady, { status: isReady ? 'ready' : 'not ready', parts })
  }
  return (['GET', 'HEAD'] as const).flatMap((method): OpenRawRoute[] => [
    { name: 'health.live', method, path: livePath, open: true, handle: live },
    { name: 'health.ready', method, path: readyPath, open: true, handle: ready },
  ])
}

function answer(isWell: boolean, body: object): Response {
  return Response.json(body, { status: isWell ? 200 : 503, headers: { 'cache-control': 'no-store' } })
}
