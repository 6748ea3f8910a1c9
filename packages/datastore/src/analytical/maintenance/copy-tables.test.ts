import { expect, test } from 'vitest'
import { aBlock, aCallRow } from '../../testing/builders.ts'
import { startTestStores } from '../../testing/test-stores.ts'
import { copiedTables, copyTable } from './copy-tables.ts'
import { sql } from '../sql.ts'
import { callsTable } from '../tables/calls.ts'

test('every table is copied, alone or together; a folder outside is refused', async () => {
  const stores = await startTestStores()
  try {
    const { analytical } = stores
    const found = await analytical.rows<{ name: string }>(
      sql`SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
    )
    // What follows from calls is computed again after a restore.
    expect(found.map(({ name }) => name)).toEqual([...copiedTables, 'traces', 'usage'].toSorted())
    await analytical.insert(callsTable, aBlock(callsTable, aCallRow()))
    for (const table of copiedTables) await copyTable(analytical, { table, folder: 'a' })
    await expect(copyTable(analytical, { table: 'calls', folder: '../a' })).rejects.toThrow(/backup folder/)
  } finally {
    await stores.close()
  }
}, 120_000)
