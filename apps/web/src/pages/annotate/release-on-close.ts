import { createClient } from '@heddle/core-api/client'
import { tracingRoutes } from '@heddle/core-api/routes'
import { serverUrl } from '../../lib/server/base-path.ts'

/** Its requests outlive the page that sends them. */
const closing = createClient({
  baseUrl: serverUrl(),
  routes: tracingRoutes,
  retries: 0,
  fetch: (address, init) => fetch(address, { ...init, keepalive: true }),
})

/** Ends the claim of the user on an item while the page closes. Where this fails, the claim ends with its time. */
export function releaseOnClose(item: { project_id: string; queue_id: string; item_id: string }): void {
  closing.annotationQueues.releaseItem(item).catch(() => undefined)
}
