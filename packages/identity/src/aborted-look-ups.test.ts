import { randomUUID } from 'node:crypto'
import type { RelationalStore } from '@heddle/datastore'
import { openPostgres } from '@heddle/datastore/postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createIdentity } from './identity.ts'
import { sqlIdentityStore } from './identity-store.sql.ts'

describe.skipIf(inject('postgresUrl') === '')('a request on PostgreSQL that has aborted', () => {
  const cancelled = { name: 'StoreError', kind: 'cancelled' }
  const signal = AbortSignal.abort()
  let database: RelationalStore
  beforeAll(async () => {
    database = await openPostgres(inject('postgresUrl'))
  })
  afterAll(() => database.destroy())

  /** The identity of a server that has looked up nothing yet. */
  const newIdentity = () => createIdentity({ store: sqlIdentityStore(database), clock: () => 1 })
  const createKey = async () => (await newIdentity().createKey({ name: 'test', role: 'writer' })).secret

  test('authenticates nobody, by key or by session', async () => {
    const secret = await createKey()
    const { token } = await newIdentity().startSession(await newIdentity().authenticate(secret))
    for (const credential of [secret, token]) {
      await expect(newIdentity().authenticate(credential, signal)).rejects.toMatchObject(cancelled)
      await newIdentity().authenticate(credential)
    }
  })

  test('creates no project', async () => {
    const caller = await newIdentity().authenticate(await createKey())
    const id = `e-${randomUUID()}/project`
    await expect(newIdentity().contextFor(caller, 'write', { caller: '', signal }).open(id)).rejects.toMatchObject(cancelled)
    expect(await sqlIdentityStore(database).findProject(id)).toBeUndefined()
  })
})
