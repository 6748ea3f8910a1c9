import { expect, test } from 'vitest'
import type { InsertBatcher } from './insert-batcher.ts'
import type { NamedRows } from '../rows/named-rows.ts'
import { createInsertBatchers } from './insert-batchers.ts'

const block: NamedRows = { bytes: Buffer.from('a'), rows: 1, columns: ['text'] }

function aBatcher(events: string[], table: string): InsertBatcher {
  return {
    add: async () => void events.push(`rows of ${table}`),
    flush: async () => undefined,
    waitingBytes: 0,
    oldestWaitingMs: 0,
    close: async () => void events.push(`${table} closed`),
  }
}

test('once they are closing, no table gets a batcher that nobody would close', async () => {
  const events: string[] = []
  const batchers = createInsertBatchers({
    open: async (table) => aBatcher(events, table),
    listRecovered: async () => ['left by an earlier process'],
  })
  await batchers.add('calls', block)
  const closing = batchers.close()
  await expect(batchers.add('table_rows', block)).rejects.toMatchObject({ kind: 'unavailable', message: 'the store is closing' })
  await closing
  await expect(batchers.add('feedback', block)).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(batchers.flush()).rejects.toMatchObject({ kind: 'unavailable' })
  expect(events).toEqual(['rows of calls', 'calls closed'])
})

test('a batcher that is being opened when they are closed is closed too', async () => {
  const events: string[] = []
  let finishOpening = () => {}
  const ready = new Promise<void>((resolve) => (finishOpening = resolve))
  const batchers = createInsertBatchers({ open: (table) => ready.then(() => aBatcher(events, table)), listRecovered: async () => [] })
  const added = batchers.add('calls', block)
  const closing = batchers.close()
  finishOpening()
  await Promise.all([added, closing])
  expect(events).toContain('calls closed')
})
