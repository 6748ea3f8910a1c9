import { Agent, type AgentOptions } from 'node:http'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client'
import type { Analytical, AnalyticalHealth } from './analytical.ts'
import { StoreError, type StoreErrorKind } from '../work/store-error.ts'
import type { DeriveTraces, DerivingStore } from './derived/derivation.ts'
import type { TouchedTrace } from './derived/touched-trace.ts'
import { mergeTouched, touchedTraces } from './derived/touched-traces.ts'
import { createInsertBatcher, type InsertBatcher, type InsertBatcherOptions } from './writes/insert-batcher.ts'
import type { NamedRows } from './rows/named-rows.ts'
import { createInsertBatchers } from './writes/insert-batchers.ts'
import { databaseName } from './engine/engine-config.ts'
import type { Engine } from './engine/engine.ts'
import { insertSettingsFor } from './rows/insert-settings.ts'
import type { JournalPart, OnSync } from './journal/journal-part.ts'
import type { JournalDamage } from './journal/journal-damage.ts'
import { journaledTables, openJournal, readBlocks } from './journal/journal.ts'
import { ledgerPathOf } from './journal/journal-ledger.ts'
import { createJournaledBatcher, type JournaledBatcherOptions, type RefusedRows } from './writes/journaled-batcher.ts'
import { clusterChangeSettings, clusterInsertSettings, consistentReadSettings } from './cluster/cluster-settings.ts'
import { createResponsiveness, type ResponsivenessOptions, unresponsive } from '../work/responsiveness.ts'
import type { BegunStatement, TraceStatement } from './queries/trace-statement.ts'
import { createQueries } from './queries/queries.ts'
import { toQuery } from './queries/query-param.ts'
import { startLifetime, type RequestLifetime } from './queries/request-lifetime.ts'
import { knownRowColumns, readRowColumns, rowColumns } from './rows/row-columns.ts'
import { createJournalSpaceCheck } from './writes/journal-space.ts'
import { ownSql, sql, type Sql } from './sql.ts'
import { readStoreKind } from './store-kind.ts'
import { toStoreError } from './store-failure.ts'
import { allTables } from './tables/all-tables.ts'
import { callsTable } from './tables/calls.ts'
import { localTable } from './table-definition.ts'
import { serverChange, serverWork, type StatementPermits } from '../work/work-scope.ts'
import type { Timing } from '../timing.ts'

/** Limits of inserts and of their queues, without a journal (`max…`) and with one. */
export type BatchLimits = Pick<InsertBatcherOptions, 'maxRows' | 'maxBytes' | 'maxWaitingBytes' | 'maxWaitingMs' | 'maxAttempts'> &
  Pick<JournaledBatcherOptions, 'batchBytes' | 'lingerMs' | 'journalBytes'>

export interface ClickHouseStoreOptions {
  /** The embedded engine, or the URL of a cluster, including user and password. */
  target: { engine: Engine } | { url: string }
  /**
   * `journaled`: rows are acknowledged and readable once they are in a journal in the engine's folder; only for the one process
   * that uses the engine. `direct`: once they are in their table. Default `journaled` for the embedded engine, `direct` for a cluster.
   */
  writes?: 'journaled' | 'direct'
  timing: Timing
  /** Schedules the statements of tenants. Absent: each runs immediately, for single-user programs. */
  permits?: StatementPermits
  batching?: BatchLimits
  /** Called when the embedded engine rejects acknowledged rows, with the file in which they are kept. */
  onRefused?: (refusal: RefusedRows) => void
  /** Called for a damaged journal part of an earlier process, with the missing data and the folder of its files. */
  onJournalDamage?: (damage: JournalDamage) => void
  /** Called with the seconds after each sync of acknowledged rows to the journal. */
  onJournalSync?: OnSync | undefined
  /** Called each time a query meets a damaged part of a table, with an error of kind `damaged` that names it. */
  onDamage?: (error: StoreError) => void
  /** Called after rows of the journal were written to their table, or rows were deleted from it. */
  onWritten?: () => void
  /** Called when a statement begins. Absent: statements are not traced. */
  trace?: TraceStatement | undefined
  /** When statements of a cluster, or reads of the embedded engine, check that it responds, and how long that may take. */
  patience?: Pick<ResponsivenessOptions, 'idleMs' | 'pingMs'>
  /** Derives tables from calls, each time after some were written. Default: nothing is derived. */
  derive?: DeriveTraces | undefined
  /**
   * Called when deriving fails for another reason than the state of the store: calls are stored, and the rows derived from them may be out of date.
   */
  onDeriveFailed?: (error: unknown) => void
  /** Default time limit of a query in seconds. Default 60. */
  maxSeconds?: number
  /** Default memory limit of a query in bytes. Default 2 GiB, or half of the embedded engine's memory if that is less. */
  maxMemoryBytes?: number
}

const gibibyte = 1024 ** 3
/** Temporary failures: deriving is retried after them. */
const passing: ReadonlySet<StoreErrorKind> = new Set(['memory', 'timeout', 'unavailable', 'busy', 'full'])
/** Time limit in seconds of a statement that changes the store: a mutation or a backup may take long. */
const changeSeconds = 3_600
const insertSeconds = 120
/** The embedded engine shares its processors with everything else on the machine, so it gets more time to respond than a cluster. */
const enginePatience = { idleMs: 5_000, pingMs: 15_000 }

function connect(target: ClickHouseStoreOptions['target']): ClickHouseClient {
  const log = { level: ClickHouseLogLevel.OFF }
  const request_timeout = changeSeconds * 1000
  if ('url' in target) return createClient({ url: target.url, database: databaseName, request_timeout, log, max_open_connections: 64 })
  // No limit on sockets: the engine itself rejects excess requests, with a clear error.
  const agent: AgentOptions & { socketPath: string } = { keepAlive: true, socketPath: target.engine.socketPath }
  return createClient({ url: 'http://localhost', database: databaseName, request_timeout, log, http_agent: new Agent(agent) })
}

/** The analytical store over the ClickHouse HTTP interface, for the embedded engine and for a cluster. */
export function createClickHouseStore(options: ClickHouseStoreOptions): Analytical {
  const engine = 'engine' in options.target ? options.target.engine : undefined
  const client = connect(options.target)
  const observer = 'url' in options.target ? connectObserver(options.target.url) : undefined
  const responsiveness =
    observer && createResponsiveness({ ping: (signal) => pingCluster(observer, signal, { select: false }), ...options.patience })
  const insertSettings = engine ? {} : clusterInsertSettings

  const readResponsiveness =
    responsiveness ?? (engine && createResponsiveness({ ping: (signal) => engine.ping(signal), ...enginePatience, ...options.patience }))

  const queriesOf = createQueries({
    client,
    permits: options.permits,
    assertReady: () => engine?.assertReady(),
    flush: (read) => batchers.flush(read),
    onDamage: (error) => options.onDamage?.(error),
    trace: options.trace,
    responsiveness: readResponsiveness,
    ...(!engine && { consistentSettings: consistentReadSettings }),
    maxSeconds: options.maxSeconds ?? 60,
    maxMemoryBytes: options.maxMemoryBytes ?? Math.min(2 * gibibyte, (engine?.memoryLimitBytes ?? Infinity) / 2),
  })
  const own = queriesOf(serverWork)
  const stored = queriesOf(serverWork, () => Promise.resolve())

  /** Runs a request of the server itself with its own time limit. */
  async function request<T>(seconds: number, statement: BegunStatement, work: (lifetime: RequestLifetime) => Promise<T>): Promise<T> {
    const span = options.trace?.(statement)
    try {
      const result = await requestOnce(seconds, work)
      span?.end()
      return result
    } catch (error) {
      span?.end(error instanceof StoreError ? error.kind : 'failed')
      throw error
    }
  }

  async function requestOnce<T>(seconds: number, work: (lifetime: RequestLifetime) => Promise<T>): Promise<T> {
    engine?.assertReady()
    const lifetime = startLifetime(seconds, undefined)
    const watch = responsiveness?.watch(() => lifetime.fail(unresponsive()))
    try {
      return await work(lifetime)
    } catch (error) {
      if (lifetime.failure) throw toStoreError(lifetime.failure)
      if (lifetime.isTimedOut) throw new StoreError('timeout', `the store did not respond within ${seconds} seconds`, { cause: error })
      throw toStoreError(error)
    } finally {
      watch?.end()
      lifetime.end()
    }
  }

  async function writeRows(table: string, blocks: readonly NamedRows[]): Promise<void> {
    const form = readRowColumns(blocks[0]?.columns ?? [])
    await request(insertSeconds, { kind: 'insert', table }, async ({ signal: abort_signal }) => {
      const values = Readable.from(
        blocks.map((block) => block.bytes),
        { objectMode: false },
      )
      const query = `INSERT INTO ${table} (${form.names.join(', ')}) FORMAT RowBinary`
      const { stream } = await client.exec({
        query,
        values,
        clickhouse_settings: { ...insertSettingsFor(form), ...insertSettings },
        abort_signal,
      })
      for await (const _ of stream) void _
    })
  }

  /** The engine reads the rows from the journal file. */
  async function writePart(table: string, part: JournalPart): Promise<void> {
    const file = `${table}/${basename(part.rowsPath)}`
    const form = readRowColumns(part.columns)
    const query = `INSERT INTO ${table} (${form.names.join(', ')}) FROM INFILE '${file}' FORMAT RowBinary`
    const clickhouse_settings = insertSettingsFor(form)
    await request(insertSeconds, { kind: 'insert', table }, ({ signal: abort_signal }) =>
      client.command({ query, clickhouse_settings, abort_signal }),
    ).catch((error: unknown) => {
      throw isUnknownColumn(error) ? new StoreError('data', error.message, { cause: error }) : error
    })
    options.onWritten?.()
  }

  const isJournaled = engine !== undefined && options.writes !== 'direct'
  const { rows, lazyRows } = queriesOf(serverChange, () => Promise.resolve())
  const deriving: DerivingStore = {
    rows,
    lazyRows,
    insert: (table, block) => writeRows(table.name, [{ ...block, columns: rowColumns(table) }]),
    isShared: !isJournaled,
  }

  async function derive(touched: readonly TouchedTrace[]): Promise<void> {
    if (options.derive === undefined || touched.length === 0) return
    try {
      await options.derive(deriving, touched)
    } catch (error) {
      if (error instanceof StoreError && passing.has(error.kind)) throw error
      options.onDeriveFailed?.(error)
    }
    options.onWritten?.()
  }

  /** Applies only to the table of calls: nothing is derived from the others. */
  const derivingFrom = (table: string) => table === callsTable.name && options.derive !== undefined

  const batching = { ...options.batching, timing: options.timing }
  const batchers =
    engine && isJournaled
      ? createInsertBatchers({ open: journaled(engine.journalDir), listRecovered: () => journaledTables(engine.journalDir) })
      : createInsertBatchers({
          open: async (table) =>
            createInsertBatcher({
              ...batching,
              async write(blocks) {
                await writeRows(table, blocks)
                if (derivingFrom(table)) await derive(touchedTraces(blocks))
              },
            }),
          listRecovered: async () => [],
        })

  function journaled(folder: string): (table: string) => Promise<InsertBatcher> {
    const assertDiskSpace = createJournalSpaceCheck({ folder, now: options.timing.now, waitingBytes: () => batchers.waitingBytes })
    const onRefused = options.onRefused ?? (() => undefined)
    return async (table) => {
      const columns = allTables.filter(({ name }) => name === table).flatMap(knownRowColumns)
      const onDamage = options.onJournalDamage ?? (() => undefined)
      const journal = await openJournal(join(folder, table), {
        columns,
        onDamage,
        partBytes: options.batching?.batchBytes,
        ledgerPath: ledgerPathOf(folder, table),
        onSync: options.onJournalSync,
      })
      return createJournaledBatcher({
        ...batching,
        journal,
        assertDiskSpace,
        onRefused,
        write: (part) => writePart(table, part),
        ...(derivingFrom(table) && {
          derivation: {
            tracesOf: (block) => touchedTraces([block]),
            async derive({ touched, leftover }) {
              const left = leftover ? touchedTraces(await readBlocks(leftover)) : []
              await derive(mergeTouched([...touched, ...left]))
            },
          },
        }),
      })
    }
  }

  const insertedRows = new Map<string, number>()

  async function readState(): Promise<EngineState | undefined> {
    const [state] = await stored.rows<EngineState>(stateQuery, { maxSeconds: 5 })
    return state
  }

  async function execute(statement: Sql, { inBackground = false } = {}): Promise<void> {
    const waiting = engine ? { mutations_sync: '1' } : clusterChangeSettings
    const clickhouse_settings: ClickHouseSettings = inBackground ? { mutations_sync: '0' } : waiting
    await request(changeSeconds, { kind: 'change' }, async (lifetime) => {
      await lifetime.race(batchers.flushOpened())
      const sent = { ...toQuery(statement, { isChange: true }), clickhouse_settings, abort_signal: lifetime.signal }
      if (statement.params.length === 0) return void (await client.command(sent))
      // A command puts its parameters into the address, which allows a few hundred keys; a query moves more of them to the body.
      const result = await client.query({ ...sent, use_multipart_params_auto: true, format: 'JSONEachRow' })
      await result.text()
    })
  }

  return {
    ...own,
    stored,
    of: (scope) => queriesOf(scope),
    async insert(table, block) {
      await batchers.add(table.name, { ...block, columns: rowColumns(table) })
      insertedRows.set(table.name, (insertedRows.get(table.name) ?? 0) + block.rows)
    },
    execute,
    async deleteRows({ name }, condition) {
      const target = localTable(engine ? 'embedded' : await readStoreKind(own), name)
      await execute(sql`ALTER TABLE ${ownSql(target)} DELETE WHERE ${condition}`)
      options.onWritten?.()
    },
    async health() {
      const { waitingBytes, oldestWaitingMs } = batchers
      const state = await readState().catch(() => undefined)
      const ofServer = { restarts: engine?.restarts ?? 0, insertedRows: Object.fromEntries(insertedRows), waitingBytes, oldestWaitingMs }
      return { ...unknownState, ...state, ...ofServer, ready: state !== undefined }
    },
    ping: (signal) => (engine ? engine.ping(signal) : pingCluster(client, signal, { select: true })),
    async close() {
      await batchers.close()
      await Promise.all([client.close(), observer?.close()])
    },
  }
}

/** For health checks, which must not wait for a connection that statements use. */
function connectObserver(url: string): ClickHouseClient {
  return createClient({ url, log: { level: ClickHouseLogLevel.OFF }, max_open_connections: 2 })
}

async function pingCluster(client: ClickHouseClient, signal: AbortSignal, { select }: { select: boolean }): Promise<void> {
  const answer = await client.ping({ select, abort_signal: signal })
  if (!answer.success) throw new StoreError('unavailable', 'the store does not respond', { cause: answer.error })
}

/** The first journal format has no checksum of the column names, so rows under a damaged name are rejected and do not block other rows. */
function isUnknownColumn(error: unknown): error is StoreError {
  return error instanceof StoreError && error.cause instanceof Error && 'code' in error.cause && Number(error.cause.code) === 16
}

type EngineState = Pick<AnalyticalHealth, 'version' | 'activeParts' | 'detachedParts' | 'diskFreeBytes'>

const unknownState: EngineState = { version: '', activeParts: 0, detachedParts: 0, diskFreeBytes: 0 }

const stateQuery = sql`SELECT
  version() AS version,
  (SELECT toFloat64(count()) FROM system.parts WHERE active AND database = currentDatabase()) AS activeParts,
  (SELECT toFloat64(count()) FROM system.detached_parts WHERE database = currentDatabase()) AS detachedParts,
  (SELECT toFloat64(min(unreserved_space)) FROM system.disks) AS diskFreeBytes`
