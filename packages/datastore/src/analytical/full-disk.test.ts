import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aBlock, aCallRow, smallFolder, startTestStores } from '../testing/index.ts'
import { StoreError } from '../work/store-error.ts'
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
  const refusal = async (write: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; turn < 100; turn++) {
      const error = await write(turn).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (error !== undefined) return error
    }
    return undefined
  }
  // The engine frees the space of replaced parts at any time, so the rest of the disk is filled again before each write.
  let fillers = 0
  const fill = () => expect(() => writeFileSync(join(folder, `filler-${fillers++}`), Buffer.alloc(64 << 20))).toThrow('ENOSPC')

  const refused = await refusal((turn) => insert(`large-${turn}`, 1_500_000).then(() => void acknowledged++))
  expect(refused).toBeInstanceOf(StoreError)
  expect(refused).toMatchObject({ kind: 'full' })
  expect(await count()).toBe(acknowledged)
  const refusedRow = refusal((turn) => (fill(), insert(`small-${turn}`).then(() => void acknowledged++)))
  expect(await refusedRow).toMatchObject({ kind: 'full' })
  expect(await refusal(() => (fill(), stores.blobs.put(randomBytes(100_000))))).toMatchObject({ kind: 'full' })
  expect(await count()).toBe(acknowledged)

  for (let filler = 0; filler < fillers; filler++) rmSync(join(folder, `filler-${filler}`))
  await insert('after')
  expect(await count()).toBe(acknowledged + 1)
  expect(stores.engine.restarts).toBe(0)
  await stores.close()
})
