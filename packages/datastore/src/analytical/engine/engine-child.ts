import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { Session } from 'chdb'
import { databaseName, type EngineConfig, type EngineMessage } from './engine-config.ts'
import { markCacheBytes } from './engine-memory.ts'
import { makeEngineFolders } from './engine-folders.ts'
import { createEngineListener, maxStatementBytes, newEngineServer } from './engine-server.ts'
import { openEngineSocket } from './engine-socket.ts'
import { granuleBytes } from '../tables/part-settings.ts'
import { createSessionPool, type SessionPool } from './statements/session-pool.ts'
import { createStatementGuard } from './statements/statement.ts'
import { messageOf } from '../../message-of.ts'

/** Each kind has its own sessions, so that no kind waits for another. */
const sessionsBesideQueries = { inserts: 1, changes: 1, control: 1 }
const maxWaitingInserts = 64
/** The second already finds the session empty, but for an engine without memory. */
const clearAttempts = 20
const clearPauseMs = 20

function send(message: EngineMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()) ?? resolve())
}

function openSessions(config: EngineConfig): Session[] {
  const path = join(config.dataDir, 'store')
  mkdirSync(config.backupDir, { recursive: true, mode: 0o700 })
  const connectionArgs = [
    `--max_server_memory_usage=${config.memoryLimitBytes}`,
    `--mark_cache_size=${markCacheBytes(config.memoryLimitBytes)}`,
    '--background_pool_size=2',
    // A section of the configuration is read only if it has a value itself.
    '--merge_tree=1',
    `--merge_tree.index_granularity_bytes=${granuleBytes}`,
    // Parameters are part of the text that the engine parses.
    `--max_query_size=${maxStatementBytes * 2}`,
    `--backups.allowed_path=${config.backupDir}`,
  ]
  const { inserts, changes, control } = sessionsBesideQueries
  const count = inserts + changes + control + config.statementSessions
  const sessions = Array.from({ length: count }, () => new Session(path, { connectionArgs }))
  sessions[0]?.query(`CREATE DATABASE IF NOT EXISTS ${databaseName}`)
  for (const session of sessions) session.query(`USE ${databaseName}`)
  return sessions
}

/** Cancels the query of a session by the `log_comment` of its statements: the engine accepts no query ids. */
function canceller(queries: readonly Session[], control: SessionPool<Session>): (session: Session) => Promise<unknown> {
  const markOf = (session: Session) => `query-session-${queries.indexOf(session)}`
  for (const session of queries) session.query(`SET log_comment = '${markOf(session)}'`)
  const never = new AbortController().signal
  return (session) =>
    control.use(
      (killer) => killer.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = '${markOf(session)}' ASYNC`, { format: 'Null' }),
      never,
    )
}

/**
 * Removes what a statement left in its session: the engine keeps its memory until the next statement of the session, and where it failed after the first
 * rows, answers the next one with these. So the answer is checked. A session that cannot be cleared ends the process, which is started again.
 */
async function clear(session: Session): Promise<void> {
  for (let attempt = 1; attempt <= clearAttempts; attempt++) {
    const mark = randomUUID()
    const answer = await session.queryAsync(`SELECT '${mark}'`, { format: 'TabSeparated' }).catch(() => undefined)
    if (answer?.text() === `${mark}\n`) return
    await delay(clearPauseMs * attempt)
  }
  process.stderr.write('a session of the engine still answers with the result of another statement\n')
  end()
}

/**
 * Ends the process without the exit handlers of the engine's library, which crash in threads that it still runs. Acknowledged rows are on disk, and the
 * kernel releases the locks.
 */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}

async function main(config: EngineConfig): Promise<void> {
  // The server exited while this module was loading, before there was a listener; no `disconnect` event will follow.
  if (!process.connected) process.exit(1)
  // Files that the engine creates below the data folder are private as well.
  process.umask(0o077)
  // First of all: the engine locks its tables, and an engine that still has them keeps its socket and its folders.
  const sessions = openSessions(config)
  const folders = makeEngineFolders({ ...config, memoryMount: '/dev/shm' })
  const all = [...sessions]
  const take = (count: number) => all.splice(0, count)
  const inserts = take(sessionsBesideQueries.inserts)
  const changes = take(sessionsBesideQueries.changes)
  const control = createSessionPool({ sessions: take(sessionsBesideQueries.control), maxWaiting: Infinity, clear })
  const pools = {
    inserts: createSessionPool({ sessions: inserts, maxWaiting: maxWaitingInserts, clear }),
    changes: createSessionPool({ sessions: changes, maxWaiting: config.maxWaiting, clear }),
    queries: createSessionPool({ sessions: all, maxWaiting: config.maxWaiting, cancel: canceller(all, control), clear }),
  }
  const [first] = sessions
  if (!first) throw new Error('the engine has no session')
  const tableFunctions = first.query('SELECT name FROM system.table_functions', 'TabSeparated').trim().split('\n')
  const listener = createEngineListener({
    ...pools,
    guard: createStatementGuard(tableFunctions),
    journalDir: config.journalDir,
    rowsDirs: folders.rowsDirs,
    maxInsertBytes: config.maxInsertBytes,
    knownColumns: config.knownColumns,
  })

  process.once('disconnect', () => {
    folders.remove()
    end()
  })
  const close = async () => {
    // A request that has been answered, or whose caller left, may still have its session cancelled and cleared.
    for (const pool of [...Object.values(pools), control]) await pool.idle()
    for (const session of sessions) session.close()
    folders.remove()
    end()
  }
  process.once('message', () => socket.close(() => void close()))
  // A signal to the process group also reaches the server, which decides when to stop.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)

  const socket = openEngineSocket({
    path: config.socketPath,
    newServer: () => newEngineServer(listener),
    onReady() {
      const version = first.query('SELECT version()', 'TabSeparated').trim()
      void send({ type: 'ready', version })
    },
    onReopened: () => void send({ type: 'reopened' }),
    onLost: (error) => void fail(error),
  })
}

/** Ends the process: its supervisor starts another one, or reports the reason. */
async function fail(error: unknown): Promise<void> {
  await send({ type: 'failed', reason: messageOf(error) })
  end()
}

try {
  await main(JSON.parse(process.argv[2] ?? '{}'))
} catch (error) {
  await fail(error)
}
