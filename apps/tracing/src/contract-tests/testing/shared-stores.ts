import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RelationalStore, startEngine } from '@heddle/datastore'
import { openPostgres } from '@heddle/datastore/postgres'
import { engineEntry, newPostgresDatabase } from '@heddle/datastore/testing'
import type { SharedStoreUrls } from './server-options.ts'

/** Stores that servers in several processes share, and that outlive them. */
export interface SharedStores {
  urls: SharedStoreUrls
  /** The relational one, with all its tables. */
  database: RelationalStore
  close(): Promise<void>
}

/** A new database on a PostgreSQL server, and an engine that is reached like a ClickHouse server. */
export async function startSharedStores(postgresUrl: string): Promise<SharedStores> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-shared-'))
  const { url, drop } = await newPostgresDatabase(postgresUrl)
  const database = await openPostgres(url)
  const engine = await startEngine({ entry: engineEntry, dataDir: folder, memoryLimitBytes: 1e9 })
  const port = await listenFor(engine.socketPath)
  return {
    urls: { postgresUrl: url, analyticalUrl: `http://127.0.0.1:${port.number}` },
    database,
    async close() {
      await port.close()
      await engine.stop()
      await database.destroy()
      await drop()
      await rm(folder, { recursive: true })
    },
  }
}

/** A port on loopback whose connections are forwarded to a socket in a folder. */
async function listenFor(socketPath: string): Promise<{ number: number; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(socketPath)
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(from)
      from.pipe(to)
      // A server that is killed leaves its connections as they are.
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    number: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
