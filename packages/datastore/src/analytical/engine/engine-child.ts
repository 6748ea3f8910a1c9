import { chmodSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Session } from 'chdb'
import { databaseName, type EngineConfig, type EngineMessage } from './engine-config.ts'
import { makeEngineFolders } from './engine-folders.ts'
import { DataDirLocked, lockDataDir } from './engine-lock.ts'
import { createEngineServer, maxStatementBytes } from './engine-server.ts'
import { createSessionPool, type SessionPool } from './session-pool.ts'
import { createStatementGuard } from './statement.ts'

/** Sessions of a kind are apart, so that none of another kind is waited for. */
const sessionsBesideQueries = { inserts: 1, changes: 1, control: 1 }
const maxWaitingInserts = 64

function tell(message: EngineMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()) ?? resolve())
}

function openSessions(config: EngineConfig): Session[] {
  const path = join(config.dataDir, 'store')
  mkdirSync(config.backupDir, { recursive: true, mode: 0o700 })
  const connectionArgs = [
    `--max_server_memory_usage=${config.memoryLimitBytes}`,
    '--mark_cache_size=268435456',
    '--background_pool_size=2',
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

/** How the queries of a session are ended: by the mark that all its statements carry, since a statement cannot be given an id of ours. */
function canceller(queries: readonly Session[], control: SessionPool<Session>): (session: Session) => Promise<unknown> {
  const markOf = (session: Session) => `query-session-${queries.indexOf(session)}`
  for (const session of queries) session.query(`SET log_comment = '${markOf(session)}'`)
  const never = new AbortController().signal
  return (session) =>
    control.use(
      (asking) => asking.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = '${markOf(session)}' ASYNC`, { format: 'Null' }),
      never,
    )
}

/** A session keeps its last statement, with the memory of it, until the next one. */
function clear(session: Session): Promise<unknown> {
  return session.queryAsync('SELECT 1', { format: 'Null' })
}

async function main(config: EngineConfig): Promise<void> {
  // The server went while this module was loading, when nobody listened: later it would not be told again.
  if (!process.connected) process.exit(1)
  // Of what the engine writes below the data folder, too, nothing is for others.
  process.umask(0o077)
  const unlock = lockDataDir(config.dataDir, config.serverPid)
  const folders = makeEngineFolders({ dataDir: config.dataDir, memoryMount: '/dev/shm', temporaryDir: tmpdir() })
  const sessions = openSessions(config)
  const all = [...sessions]
  const take = (count: number) => all.splice(0, count)
  const inserts = take(sessionsBesideQueries.inserts)
  const changes = take(sessionsBesideQueries.changes)
  const control = createSessionPool({ sessions: take(sessionsBesideQueries.control), maxWaiting: Infinity })
  const [first] = sessions
  if (!first) throw new Error('the engine has no session')
  const tableFunctions = first.query('SELECT name FROM system.table_functions', 'TabSeparated').trim().split('\n')
  const server = createEngineServer({
    inserts: createSessionPool({ sessions: inserts, maxWaiting: maxWaitingInserts }),
    changes: createSessionPool({ sessions: changes, maxWaiting: config.maxWaiting }),
    queries: createSessionPool({ sessions: all, maxWaiting: config.maxWaiting, cancel: canceller(all, control), clear }),
    guard: createStatementGuard(tableFunctions),
    journalDir: config.journalDir,
    rowsDirs: folders.rowsDirs,
    maxInsertBytes: config.maxInsertBytes,
  })

  process.once('disconnect', () => {
    folders.remove()
    // A native query under way would hold up an ordinary exit; what was acknowledged is on disk already, and the lock of a dead process is no lock.
    process.kill(process.pid, 'SIGKILL')
  })
  process.once('message', () => {
    server.close(() => {
      for (const session of sessions) session.close()
      folders.remove()
      unlock()
      process.exit(0)
    })
    server.closeIdleConnections()
  })
  // A signal for the whole process group reaches the supervisor too, and it is the one to say when to stop.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)

  server.listen(folders.socketPath, () => {
    chmodSync(folders.socketPath, 0o600)
    const version = first.query('SELECT version()', 'TabSeparated').trim()
    void tell({ type: 'ready', socketPath: folders.socketPath, version })
  })
}

try {
  await main(JSON.parse(process.argv[2] ?? '{}'))
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  const lockedType = error instanceof DataDirLocked && error.holderIsOrphan ? 'held' : 'refused'
  await tell({ type: error instanceof DataDirLocked ? lockedType : 'failed', reason })
  process.exit(1)
}
