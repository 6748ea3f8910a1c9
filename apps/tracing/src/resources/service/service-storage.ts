import type { OutputOf, tracing } from '@heddle/core-api'

export type ServiceStorage = OutputOf<(typeof tracing)['service']['storage']>

/** Where the service was not told. */
export const unknownStorage: ServiceStorage = { parts: null, is_complete: true, last_backup: null }
