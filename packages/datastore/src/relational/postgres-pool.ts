import { Pool, type PoolClient, types } from 'pg'

/** Milliseconds that a statement may run. */
const statementTimeoutMs = 60_000

/**
 * A pool that reads 64-bit integers as numbers. Connections time out after 10 seconds. The time limit of statements is not a parameter of the
 * connection, which PgBouncer refuses, but set when a connection is new, and by `beginLimited`. `responseMs`: milliseconds that a response may take,
 * also from a server that is frozen and keeps no limit itself; without it there is none.
 */
export function postgresPool(url: string, { responseMs }: { responseMs?: number } = {}): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: 10_000,
    query_timeout: responseMs,
    onConnect: (client) => client.query(`SET statement_timeout = ${statementTimeoutMs}`),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format as 'text'),
    },
  })
  // A broken idle connection is replaced at the next query. Without a listener the error would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** Begins a transaction whose statements have the time limit. Returns the server's process, by which they are cancelled. */
export async function beginLimited(client: PoolClient, begin = 'begin'): Promise<number> {
  // One round trip. The types of the driver do not know that several statements have several results.
  const results: unknown = await client.query(
    `${begin}; SET LOCAL statement_timeout = ${statementTimeoutMs}; SELECT pg_backend_pid() AS pid`,
  )
  const [, , selected] = results as { rows: { pid: number }[] }[]
  return selected?.rows[0]?.pid ?? 0
}

/**
 * True if there is a proxy such as PgBouncer in between, which may give each transaction another connection to the server: settings and the process
 * last only for one transaction.
 */
export async function isPooledElsewhere(pool: Pool): Promise<boolean> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    return rows[0]?.pid !== processIdOf(client)
  } finally {
    client.release()
  }
}

/** The server's process as reported when the connection was made, which the driver's types omit. */
export function processIdOf(client: PoolClient): number {
  return Number(Reflect.get(client, 'processID'))
}
