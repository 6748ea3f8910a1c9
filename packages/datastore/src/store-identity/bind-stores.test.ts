import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAnalyticalMark } from '../analytical/store-mark.ts'
import { fileBlobs } from '../blobs/file-blobs.ts'
import { openSqlite } from '../relational/database.ts'
import { startTestStores, type TestStores } from '../testing/index.ts'
import { bindStores, type BindStoresOptions } from './bind-stores.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

const bind = (options: Partial<BindStoresOptions> = {}) =>
  bindStores({ ...stores, kind: 'embedded', newId: randomUUID, ...options }).then(
    () => 'bound',
    (error: Error) => error.message,
  )
const marks = async () => [await readAnalyticalMark(stores.analytical), await stores.blobs.storeId()]

/** Records of a store that has none. */
async function withNewRecords(work: (database: TestStores['database']) => Promise<void>): Promise<void> {
  const database = await openSqlite(join(stores.dataDir, `${randomUUID()}.db`))
  try {
    await work(database)
  } finally {
    await database.destroy()
  }
}

test('stores without an id belong together from their first start, and refuse others until an operator accepts them', async () => {
  expect(await marks()).toEqual([undefined, undefined])
  expect([await bind(), await bind()]).toEqual(['bound', 'bound'])
  const [id, blobsId] = await marks()
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(blobsId).toBe(id)

  await withNewRecords(async (database) => {
    const refusal = await bind({ database })
    expect(refusal).toContain(`the tables of calls belong to store ${id}, but the relational database is new`)
    expect(refusal).toContain('heddle doctor --repair')
    expect(await bind({ database, accepts: 'all' })).toBe('bound')
    expect([await bind({ database }), await marks()]).toEqual(['bound', [id, id]])
  })
  const blobs = fileBlobs(join(stores.dataDir, 'other-blobs'))
  expect(await bind({ blobs })).toContain('the blobs are new')
  await blobs.setStoreId(randomUUID())
  expect(await bind({ blobs })).toContain('but the blobs belong to store')
  expect(await bind({ blobs, accepts: 'missing' })).toContain('but the blobs belong to store')
  expect([await bind({ blobs, accepts: 'all' }), await blobs.storeId()]).toEqual(['bound', id])
})
