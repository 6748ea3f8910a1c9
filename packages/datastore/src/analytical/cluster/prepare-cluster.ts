import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { databaseName } from '../engine/engine-config.ts'
import { StoreError } from '../../work/store-error.ts'
import { toStoreError } from '../store-failure.ts'

/** The oldest version with all types, functions and settings that the tables need. */
const minVersion = [25, 8] as const

/** Seconds for a statement of the start. */
const prepareSeconds = 20

/** A ClickHouse server as it is before anything names our database. */
export interface FoundCluster {
  version: string
  /** Whether the database of all tables is there. */
  isCreated: boolean
}

/** Queries version and settings of a ClickHouse server; changes nothing. @throws StoreError if it does not answer, or its version is too old */
export async function examineCluster(url: string): Promise<FoundCluster> {
  return withClient(url, askServer)
}

/**
 * Checks the version of a ClickHouse server and creates the database of all tables if it does not exist. Its statements name no database, since a
 * server refuses every request that names one that does not exist. On a cluster the first migration creates it on the other servers.
 * @throws StoreError `failed` for a version that is too old, and that of the statement that failed
 */
export async function prepareCluster(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { isCreated } = await askServer(client)
    // A user who may not create databases can use one that is there.
    if (!isCreated) await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${databaseName}` })
  })
}

async function askServer(client: ClickHouseClient): Promise<FoundCluster> {
  const result = await client.query({
    query: `SELECT version() AS version, (SELECT count() > 0 FROM system.databases WHERE name = '${databaseName}') AS isCreated`,
    format: 'JSONEachRow',
  })
  const [server] = await result.json<{ version: string; isCreated: number }>()
  const version = server?.version ?? ''
  assertVersion(version)
  return { version, isCreated: Number(server?.isCreated) !== 0 }
}

async function withClient<T>(url: string, work: (client: ClickHouseClient) => Promise<T>): Promise<T> {
  const client = createClient({ url, request_timeout: prepareSeconds * 1_000, log: { level: ClickHouseLogLevel.OFF } })
  try {
    return await work(client)
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await client.close()
  }
}

/** @throws StoreError that names both versions */
export function assertVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1])
  if (isSupported) return
  throw new StoreError(
    'failed',
    `the ClickHouse server has version ${JSON.stringify(version)}, but ${minVersion.join('.')} or newer is needed; upgrade it, or use the embedded engine`,
  )
}
