import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aBlock, aCallRow, smallFolder, startTestStores } from '../testing/index.ts'
import { StoreError } from './analytical.ts'
import { sql } from './sql.ts'
import { callsTable } from './tables/calls.ts'

test('a full disk refuses writes as full, keeps acknowledged rows readable, and takes writes again once space is free', async (context) => {
  const folder = smallFolder()
  if (folder === undefined) return context.skip('only root may mount a folder of limited size')
  const stores = await startTestStores({ parent: folder })
  const { analytical } = stores
  const insert = (id: string, bytes = 10) =>
    analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id, inputs: JSON.stringify(randomBytes(bytes).toString('base64')) })))
  const count = async () => (await analytical.rows<{ c: number }>(sql`SELECT toUInt32(count()) AS c FROM calls FINAL`))[0]?.c

  let acknowledged = 0
  let refused: unknown
  for (let index = 0; refused === undefined && index < 100; index++) {
    refused = await insert(`large-${index}`, 1_500_000).then(
      () => void acknowledged++,
      (error: unknown) => error,
    )
  }
  expect(refused).toBeInstanceOf(StoreError)
  expect(refused).toMatchObject({ kind: 'full' })
  expect(await count()).toBe(acknowledged)
  expect(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(64 << 20))).toThrow('ENOSPC')
  await expect(insert('small')).rejects.toMatchObject({ kind: 'full' })
  await expect(stores.blobs.put(randomBytes(100_000))).rejects.toMatchObject({ kind: 'full' })
  expect(await count()).toBe(acknowledged)

  rmSync(join(folder, 'filler'))
  await insert('after')
  expect(await count()).toBe(acknowledged + 1)
  expect(stores.engine.restarts).toBe(0)
  await stores.close()
})
