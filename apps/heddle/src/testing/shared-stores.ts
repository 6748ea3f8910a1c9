import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { startEngine } from '@heddle/datastore'
import { engineEntry, externalS3, newPostgresDatabase, serveEngineAsCluster, startS3Server } from '@heddle/datastore/testing'
import { inject } from 'vitest'

/** Stores that several servers share. */
export interface SharedStores {
  /** Settings of each server. */
  environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

type Closers = (() => Promise<unknown>)[]

/**
 * A ClickHouse server, a PostgreSQL database and a bucket, all of them empty. `HEDDLE_TEST_CLICKHOUSE_URL`, `_POSTGRES_URL` and `_S3_URL` name others
 * than those that the tests start; the engine that represents ClickHouse has its files in the folder.
 */
export async function startSharedStores(folder: string): Promise<SharedStores> {
  const closers: Closers = []
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    const database = await newPostgresDatabase(inject('postgresUrl'))
    closers.push(database.drop)
    const environment = {
      ...(await bucketSettings(closers)),
      HEDDLE_CLICKHOUSE_URL: await clickhouseUrl(folder, closers),
      HEDDLE_DATABASE_URL: database.url,
    }
    return { environment, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function clickhouseUrl(folder: string, closers: Closers): Promise<string> {
  const named = process.env['HEDDLE_TEST_CLICKHOUSE_URL']
  if (named !== undefined) return named
  const engine = await startEngine({ entry: engineEntry, dataDir: join(folder, 'cluster'), memoryLimitBytes: 1e9 })
  closers.push(() => engine.stop())
  const cluster = await serveEngineAsCluster(engine)
  closers.push(() => cluster.close())
  return cluster.url
}

async function bucketSettings(closers: Closers): Promise<Record<string, string>> {
  const { bucket, close } = await (externalS3() ?? startS3Server())
  closers.push(close)
  const { origin, pathname } = new URL(bucket.url)
  const query = new URLSearchParams({ region: bucket.region, endpoint: origin })
  return {
    HEDDLE_BLOBS_URL: `s3:/${pathname}/${randomUUID()}?${query.toString()}`,
    AWS_ACCESS_KEY_ID: bucket.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  }
}
