import type { OutputOf, tracing } from '@heddle/core-api'

export type ServiceStorage = OutputOf<(typeof tracing)['service']['storage']>

/** Used if the service has no such function. */
export const unknownStorage: ServiceStorage = { parts: null, is_complete: true, last_backup: null }
