import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newPostgresDatabase } from '@heddle/datastore/testing'
import { expect, inject, onTestFinished, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from './start-server.ts'

test.skipIf(inject('postgresUrl') === '')(
  'a second server with an engine of its own on one PostgreSQL is refused, with what it needs',
  { timeout: 120_000 },
  async () => {
    const { url: databaseUrl, drop } = await newPostgresDatabase(inject('postgresUrl'))
    const folder = mkdtempSync(join(tmpdir(), 'heddle-shared-database-'))
    onTestFinished(async () => {
      await drop()
      rmSync(folder, { recursive: true, maxRetries: 20 })
    })
    const start = (name: string) => {
      const flags = { dataDir: join(folder, name), apiKey: 'a-key-of-the-tests-of-one-database', port: '0', databaseUrl }
      return startServer(toConfiguration({ environment: {}, flags }), createServerLog('error', { write: () => undefined }))
    }
    const first = await start('first')
    try {
      await expect(start('second')).rejects.toMatchObject({
        name: 'StoreError',
        message: expect.stringMatching(
          /must also share the ClickHouse server .*HEDDLE_CLICKHOUSE_URL.*a server with an embedded engine needs a database of its own/,
        ),
      })
      await expect.poll(async () => (await fetch(`${first.server.url}/readyz`)).status).toBe(200)
    } finally {
      await first.close()
    }
  },
)
