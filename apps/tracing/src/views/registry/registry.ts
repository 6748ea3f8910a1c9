import type { Platform } from '../../platform.ts'
import type { ObjectsStore } from '../../records/objects/objects-store.ts'
import { registryHandlers } from './registry-handlers.ts'
import { sqlRegistryStore } from './registry-store.sql.ts'

/** Links from a registry to versions of objects. */
export function createRegistry({ database, refProjects, clock }: Platform, { objects }: { objects: ObjectsStore }) {
  return { handlers: registryHandlers({ registry: sqlRegistryStore(database), objects, refProjects, clock }) }
}
