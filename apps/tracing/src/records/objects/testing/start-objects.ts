import { randomUUID } from 'node:crypto'
import { openPostgres } from '@heddle/datastore/postgres'
import { shareTestStores } from '@heddle/datastore/testing'
import { type Context, createIdentity, type NewKey, type ProjectScope, sqlIdentityStore } from '@heddle/identity'
import { sqlProjectNamesStore } from '../../../payload/project-names-store.sql.ts'
import { createRefProjects } from '../../../payload/ref-projects.ts'
import { sqlFilesStore } from '../../files/files-store.sql.ts'
import { cachedObjectValues } from '../values/cached-object-values.ts'
import { createEnsureOps } from '../publish/ensure-ops.ts'
import { sqlObjectLabelsStore } from '../labels/object-labels-store.sql.ts'
import { sqlTableRowsStore } from '../../tables/table-rows-store.sql.ts'
import { sqlTablesStore } from '../../tables/tables-store.sql.ts'
import { sqlObjectValuesStore } from '../values/object-values-store.sql.ts'
import { objectsHandlers } from '../objects-handlers.ts'
import { sqlObjectsStore } from '../objects-store.sql.ts'
import { sqlObjectDeletionStore } from '../versions/object-deletion-store.sql.ts'
import { createPresentVersions } from '../versions/present-versions.ts'
import { createObjectPublisher } from '../publish/publish-object.ts'
import { createResolveRefs } from '../../refs/resolve-refs.ts'

const cacheBytes = 1_000_000
const work = { caller: '', signal: new AbortController().signal }

/** Requests of these tests delete no more than they remove themselves. */
const noDeletions = {
  beginIn: () => Promise.reject(new Error('no jobs run here')),
  begun: () => undefined,
}

/** The objects resource on real stores, with a clock that the test advances. */
export async function startObjects(kind: 'sqlite' | 'postgres', postgresUrl: string, starting = shareTestStores()) {
  const stores = await starting
  const { analytical, blobs, locks } = stores
  const database = kind === 'postgres' ? await openPostgres(postgresUrl) : stores.database
  const time = { now: 1_700_000_000_000_000 }
  const clock = () => time.now
  const identity = createIdentity({ store: sqlIdentityStore(database), clock })
  const objects = sqlObjectsStore(database)
  const deletion = sqlObjectDeletionStore({ database, deletions: noDeletions, newId: randomUUID })
  const storedValues = sqlObjectValuesStore(analytical, clock)
  const values = cachedObjectValues(storedValues, { maxBytes: cacheBytes, clock, sharesStore: false })
  const labels = sqlObjectLabelsStore(database)
  const files = sqlFilesStore({ database, blobs, locks })
  const publisher = createObjectPublisher({ objects, values, clock })
  const refProjects = createRefProjects({ identity, names: sqlProjectNamesStore(database) })
  const admin = await caller({})

  async function caller(key: Partial<NewKey>) {
    const { secret } = await identity.createKey({ name: 'ada', role: 'admin', ...key })
    return identity.authenticate(secret)
  }

  return {
    database,
    time,
    identity,
    objects,
    deletion,
    values,
    /** The values without the cache in front. */
    storedValues,
    files,
    refProjects,
    caller,
    publisher,
    handlers: objectsHandlers({
      objects,
      deletion,
      labels,
      publisher,
      presentVersions: createPresentVersions({ values, labels }),
      refProjects,
      clock,
    }),
    ensureOps: createEnsureOps({ objects, values, files, clock }),
    /** Ops as another server sees them, which has nothing in its caches. */
    freshEnsureOps: () => createEnsureOps({ objects, values: storedValues, files, clock }),
    resolveRefs: createResolveRefs({
      objects,
      values,
      tables: sqlTablesStore(analytical, clock),
      rows: sqlTableRowsStore(analytical, clock),
    }),
    newProjectId: () => `acme/p-${randomUUID()}`,
    /** What a handler gets for an operation of this effect. */
    context: (effect: 'read' | 'write' | 'destroy', by = admin): Context => identity.contextFor(by, effect, work),
    open: (projectId: string): Promise<ProjectScope> => identity.contextFor(admin, 'write', work).open(projectId),
    async close() {
      if (kind === 'postgres') await database.destroy()
      await stores.close()
    },
  }
}

export type Objects = Awaited<ReturnType<typeof startObjects>>
