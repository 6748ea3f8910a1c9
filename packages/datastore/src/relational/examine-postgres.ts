import type { PoolClient } from 'pg'
import { codeOf } from '../error-code.ts'
import { relationalSteps } from './migrate-database.ts'
import { postgresPool } from './postgres-pool.ts'
import { messageOf } from '../message-of.ts'

/** The state of our database on a PostgreSQL server. */
export interface PostgresExamination {
  version: string
  /** Whether pages have checksums, without which most damage of a disk is not noticed. */
  hasChecksums: boolean
  /** Pages of this database whose checksum did not match since its statistics were reset. */
  checksumFailures: number
  /** A step of the schema that this version does not know. */
  newer: string | undefined
  /** Our tables, of which those whose rows could not be read have a reason. */
  tables: { name: string; reason: string | undefined }[]
}

export interface ExaminePostgresOptions {
  url: string
  /** Only which tables there are: their rows are not read. */
  isQuick: boolean
  onTable?: (progress: { read: number; total: number }) => void
}

/** Milliseconds that the rows of one table may take to be read. */
const readMs = 3_600_000

/** Reads the schema and every row of the database, including values stored outside of rows. Changes nothing. @throws errors of the connection */
export async function examinePostgres({ url, isQuick, onTable = () => undefined }: ExaminePostgresOptions): Promise<PostgresExamination> {
  return inTransaction(url, async (client) => {
    const { rows: about } = await client.query<{ version: string; checksums: string; failures: number | null }>(
      `SELECT current_setting('server_version') AS version, current_setting('data_checksums') AS checksums,
        (SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()) AS failures`,
    )
    const { rows: found } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`,
    )
    const tables: PostgresExamination['tables'] = []
    for (const { name } of found) {
      onTable({ read: tables.length, total: found.length })
      tables.push({ name, reason: isQuick ? undefined : await findFault(client, name) })
    }
    const [server] = about
    return {
      version: server?.version ?? '',
      hasChecksums: server?.checksums === 'on',
      checksumFailures: server?.failures ?? 0,
      newer: found.some(({ name }) => name === 'kysely_migration') ? await findNewer(client) : undefined,
      tables,
    }
  })
}

/** Distinct digests of the contents that the records name; none before the first start. @throws errors of the connection */
export async function listPostgresContents(url: string): Promise<string[]> {
  return inTransaction(url, async (client) => {
    const { rows: known } = await client.query<{ has: boolean }>(`SELECT to_regclass('blob_references') IS NOT NULL AS has`)
    if (!known[0]?.has) return []
    const { rows } = await client.query<{ sha256: string }>(
      'SELECT sha256 FROM files WHERE sha256 IS NOT NULL UNION SELECT sha256 FROM blob_references',
    )
    return rows.map(({ sha256 }) => sha256)
  })
}

async function findNewer(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
  return rows.find(({ name }) => !relationalSteps.some((step) => step.name === name))?.name
}

/** Reads all rows of a table. Damage is an error of the classes `XX`, such as a page that is not valid, and `58`, such as a file that is missing. */
async function findFault(client: PoolClient, table: string): Promise<string | undefined> {
  await client.query('SAVEPOINT reading')
  try {
    await client.query(`SELECT sum(length(each::text)) FROM "${table.replaceAll('"', '""')}" AS each`)
    return undefined
  } catch (error) {
    if (!/^(XX|58)/.test(codeOf(error))) throw error
    await client.query('ROLLBACK TO SAVEPOINT reading')
    return messageOf(error)
  }
}

async function inTransaction<T>(url: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const pool = postgresPool(url)
  try {
    const client = await pool.connect()
    try {
      await client.query('BEGIN READ ONLY')
      await client.query(`SET LOCAL statement_timeout = ${readMs}`)
      return await work(client)
    } finally {
      await client.query('ROLLBACK').catch(() => undefined)
      client.release()
    }
  } finally {
    await pool.end()
  }
}
