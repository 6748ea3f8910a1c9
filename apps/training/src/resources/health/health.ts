import type { Platform } from '../../platform.ts'
import { healthHandlers } from './health-handlers.ts'
import { sqlHealthStore } from './health-store.sql.ts'

/** The service itself. */
export function createHealth({ database, jobs, engine, log }: Platform) {
  const onFailure = (check: string, error: string) =>
    log?.error({ operation: 'training.health.systemCheck', check, reason: error }, 'a system check failed')
  return { handlers: healthHandlers({ store: sqlHealthStore(database), jobs, engine, onFailure }) }
}
