import { Client, DatabaseError } from 'pg'
import { createResponsiveness, type Responsiveness, type ResponsivenessOptions } from '../work/responsiveness.ts'

/** When statements check that the server responds, and how long each step may take. */
export type PostgresPatience = Pick<ResponsivenessOptions, 'idleMs' | 'pingMs'>

const usual = { idleMs: 5_000, pingMs: 15_000 }

/** Notifies statements when a PostgreSQL server accepts connections but does not respond; neither side has a limit for that. */
export function postgresResponsiveness(url: string, patience: PostgresPatience = usual): Responsiveness {
  const { idleMs = usual.idleMs, pingMs = usual.pingMs } = patience
  return createResponsiveness({ idleMs, pingMs, ping: () => pingPostgres(url, pingMs) })
}

/** Over a separate connection. A server that refuses it responds, too. */
async function pingPostgres(url: string, limitMs: number): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: limitMs, query_timeout: limitMs })
  // Without a listener the error of a broken connection would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
  } finally {
    void client.end().catch(() => undefined)
  }
}
