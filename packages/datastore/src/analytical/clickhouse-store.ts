import { Agent, type AgentOptions } from 'node:http'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client'
import { StoreError, type Analytical, type AnalyticalHealth, type QueryOptions } from './analytical.ts'
import { createCommitter, type Committer, type CommitterOptions, type NamedRows } from './committer.ts'
import { createCommitters } from './committers.ts'
import { databaseName } from './engine/engine-config.ts'
import type { Engine } from './engine/engine.ts'
import { settingsOfRows } from './insert-settings.ts'
import type { JournalPart } from './journal/journal-part.ts'
import type { JournalDamage } from './journal/journal-damage.ts'
import { journaledTables, openJournal } from './journal/journal.ts'
import { createJournaledCommitter, type JournaledCommitterOptions, type RefusedRows } from './journaled-committer.ts'
import { parseLines } from './parse-lines.ts'
import { toQueryParam } from './query-param.ts'
import { knownRowColumns, readRowColumns, rowColumns } from './row-columns.ts'
import { createRoomForRows } from './room-for-rows.ts'
import { ownSql, render, sql, type Sql } from './sql.ts'
import { readStoreKind } from './store-kind.ts'
import { toStoreError } from './store-failure.ts'
import { allTables } from './tables/all-tables.ts'
import { localTable } from './table-definition.ts'
import type { Timing } from '../timing.ts'

/** Sizes of inserts and of what may wait for them, without a journal (`max…` of rows, bytes and attempts) and with one. */
export type CommitLimits = Pick<CommitterOptions, 'maxRows' | 'maxBytes' | 'maxWaitingBytes' | 'maxWaitingMs' | 'maxAttempts'> &
  Pick<JournaledCommitterOptions, 'batchBytes' | 'lingerMs' | 'journalBytes'>

export interface ClickHouseStoreOptions {
  /** The embedded engine, or the address of a cluster with user and password in it. */
  target: { engine: Engine } | { url: string }
  /**
   * `journaled`: rows are acknowledged once they are in a journal in the engine's folder, and read from there on; for the one process
   * that uses the engine. `direct`: once they are in their table. Default `journaled` for the embedded engine, and `direct` for a cluster.
   */
  writes?: 'journaled' | 'direct'
  timing: Timing
  commit?: CommitLimits
  /** Told when the embedded engine refuses rows that were acknowledged, and where they are kept. */
  onRefused?: (refusal: RefusedRows) => void
  /** Told of rows in a journal that an earlier process left, and that are damaged: what is missing, and where the files are kept. */
  onJournalDamage?: (damage: JournalDamage) => void
  /** Seconds of a query that names no limit. Default 60. */
  maxSeconds?: number
  /** Bytes of a query that names no limit. Default 2 GiB, or half of the embedded engine's memory where that is less. */
  maxMemoryBytes?: number
}

const gibibyte = 1024 ** 3
/** Bytes of an answer of `rows`. */
const maxAnswerBytes = gibibyte / 4
/** Seconds that a statement may wait for its turn, beside its own limit. */
const graceSeconds = 60
/** Seconds of a statement that changes the store: a mutation or a backup may be long. */
const changeSeconds = 3_600
const insertSeconds = 120

const readSettings: ClickHouseSettings = {
  readonly: '1',
  session_timezone: 'UTC',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_escape_forward_slashes: 0,
  do_not_merge_across_partitions_select_final: 1,
  // With FINAL no statement ends earlier for it, and each part is opened once more.
  optimize_read_in_order: 0,
  // On a cluster a statement within another one asks all servers, not each only itself.
  distributed_product_mode: 'global',
}

function connect(target: ClickHouseStoreOptions['target']): ClickHouseClient {
  const log = { level: ClickHouseLogLevel.OFF }
  const request_timeout = changeSeconds * 1000
  if ('url' in target) return createClient({ url: target.url, database: databaseName, request_timeout, log, max_open_connections: 64 })
  // No limit on sockets: the engine itself refuses what is too much, with an answer that says so.
  const agent: AgentOptions & { socketPath: string } = { keepAlive: true, socketPath: target.engine.socketPath }
  return createClient({ url: 'http://localhost', database: databaseName, request_timeout, log, http_agent: new Agent(agent) })
}

/** The analytical store over the ClickHouse HTTP interface, the same for the embedded engine and for a cluster. */
export function createClickHouseStore(options: ClickHouseStoreOptions): Analytical {
  const engine = 'engine' in options.target ? options.target.engine : undefined
  const client = connect(options.target)
  const memory = options.maxMemoryBytes ?? Math.min(2 * gibibyte, (engine?.memoryLimitBytes ?? Infinity) / 2)

  /** Runs a request with a limit of its own; the caller's signal ends it with the caller's reason. */
  async function request<T>(seconds: number, signal: AbortSignal | undefined, work: (abort: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted()
    engine?.assertReady()
    const limit = AbortSignal.timeout(seconds * 1000)
    try {
      return await work(signal ? AbortSignal.any([signal, limit]) : limit)
    } catch (error) {
      signal?.throwIfAborted()
      if (limit.aborted) throw new StoreError('timeout', `the store gave no answer within ${seconds} seconds`, { cause: error })
      throw toStoreError(error)
    }
  }

  /** Whatever was acknowledged before is part of the answer. */
  function query(statement: Sql, limits: QueryOptions, settings: ClickHouseSettings) {
    return ask(statement, { limits, settings, after: () => committers.readable() })
  }

  function ask(statement: Sql, { limits, settings, after }: Question) {
    const seconds = limits.maxSeconds ?? options.maxSeconds ?? 60
    const bounds = { max_execution_time: seconds, max_memory_usage: String(Math.floor(limits.maxMemoryBytes ?? memory)) }
    const { query: text, query_params } = toQuery(statement)
    const clickhouse_settings = { ...readSettings, ...bounds, ...settings }
    return request(seconds + graceSeconds, limits.signal, async (abort_signal) => {
      await untilAborted(after(), abort_signal)
      return client.query({
        query: text,
        query_params,
        use_multipart_params_auto: true,
        format: 'JSONEachRow',
        clickhouse_settings,
        abort_signal,
      })
    })
  }

  async function writeRows(table: string, blocks: readonly NamedRows[]): Promise<void> {
    const form = readRowColumns(blocks[0]?.columns ?? [])
    await request(insertSeconds, undefined, async (abort_signal) => {
      const values = Readable.from(
        blocks.map((block) => block.bytes),
        { objectMode: false },
      )
      const query = `INSERT INTO ${table} (${form.names.join(', ')}) FORMAT RowBinary`
      const { stream } = await client.exec({ query, values, clickhouse_settings: settingsOfRows(form), abort_signal })
      for await (const _ of stream) void _
    })
  }

  /** The engine reads the rows from the journal itself. */
  async function writePart(table: string, part: JournalPart): Promise<void> {
    const file = `${table}/${basename(part.rowsPath)}`
    const form = readRowColumns(part.columns)
    const query = `INSERT INTO ${table} (${form.names.join(', ')}) FROM INFILE '${file}' FORMAT RowBinary`
    const clickhouse_settings = settingsOfRows(form)
    await request(insertSeconds, undefined, (abort_signal) => client.command({ query, clickhouse_settings, abort_signal })).catch(
      (error: unknown) => {
        throw isUnknownColumn(error) ? new StoreError('data', error.message, { cause: error }) : error
      },
    )
  }

  const commit = { ...options.commit, timing: options.timing }
  const committers =
    engine && options.writes !== 'direct'
      ? createCommitters({ open: journaled(engine.journalDir), found: () => journaledTables(engine.journalDir) })
      : createCommitters({
          open: async (table) => createCommitter({ ...commit, write: (blocks) => writeRows(table, blocks) }),
          found: async () => [],
        })

  function journaled(folder: string): (table: string) => Promise<Committer> {
    const assertDiskRoom = createRoomForRows({ folder, now: options.timing.now, waitingBytes: () => committers.waitingBytes })
    const onRefused = options.onRefused ?? (() => undefined)
    return async (table) => {
      const columns = allTables.filter(({ name }) => name === table).flatMap(knownRowColumns)
      const journal = await openJournal(join(folder, table), { columns, onDamage: options.onJournalDamage ?? (() => undefined) })
      return createJournaledCommitter({ ...commit, journal, assertDiskRoom, onRefused, write: (part) => writePart(table, part) })
    }
  }

  async function rows<T>(statement: Sql, limits: QueryOptions = {}): Promise<T[]> {
    const answer = await query(statement, limits, { wait_end_of_query: 1, max_result_bytes: String(maxAnswerBytes) })
    try {
      return parseLines(await answer.text())
    } catch (error) {
      limits.signal?.throwIfAborted()
      throw toStoreError(error)
    }
  }

  /** Of the engine itself, so whatever waits for it does not hold this up. */
  async function readState(): Promise<EngineState | undefined> {
    const answer = await ask(stateQuery, { limits: { maxSeconds: 5 }, settings: {}, after: () => Promise.resolve() })
    const [state] = await answer.json<EngineState>()
    return state
  }

  async function* blocks<T>(statement: Sql, limits: QueryOptions = {}): AsyncIterable<T[]> {
    const answer = await query(statement, limits, { wait_end_of_query: 0, max_block_size: '4096' })
    const stop = () => answer.close()
    limits.signal?.addEventListener('abort', stop, { once: true })
    try {
      for await (const part of answer.stream()) yield part.map((row) => row.json<T>())
    } catch (error) {
      limits.signal?.throwIfAborted()
      throw toStoreError(error)
    } finally {
      limits.signal?.removeEventListener('abort', stop)
      answer.close()
    }
    limits.signal?.throwIfAborted()
  }

  async function execute(statement: Sql, { inBackground = false } = {}): Promise<void> {
    const { query: text, query_params } = toQuery(statement)
    await request(changeSeconds, undefined, async (abort_signal) => {
      await untilAborted(committers.written(), abort_signal)
      await client.command({ query: text, query_params, clickhouse_settings: { mutations_sync: inBackground ? '0' : '1' }, abort_signal })
    })
  }

  return {
    rows,
    blocks,
    insert: (table, block) => committers.add(table.name, { ...block, columns: rowColumns(table) }),
    execute,
    async deleteRows({ name }, condition) {
      const place = localTable(engine ? 'embedded' : await readStoreKind({ rows }), name)
      await execute(sql`ALTER TABLE ${ownSql(place)} DELETE WHERE ${condition}`)
    },
    async health() {
      const { waitingBytes, oldestWaitingMs } = committers
      const state = await readState().catch(() => undefined)
      return { ...unknownState, ...state, ready: state !== undefined, restarts: engine?.restarts ?? 0, waitingBytes, oldestWaitingMs }
    },
    async close() {
      await committers.close()
      await client.close()
    },
  }
}

/** Columns of the first journal format have no checksum: rows under a name that was damaged are refused, and hold up no others. */
function isUnknownColumn(error: unknown): error is StoreError {
  return error instanceof StoreError && error.cause instanceof Error && 'code' in error.cause && Number(error.cause.code) === 16
}

/** What is asked of the engine, and what is waited for first. */
interface Question {
  limits: QueryOptions
  settings: ClickHouseSettings
  after: () => Promise<void>
}

type EngineState = Pick<AnalyticalHealth, 'version' | 'activeParts' | 'detachedParts' | 'diskFreeBytes'>

const unknownState: EngineState = { version: '', activeParts: 0, detachedParts: 0, diskFreeBytes: 0 }

const stateQuery = sql`SELECT
  version() AS version,
  (SELECT toFloat64(count()) FROM system.parts WHERE active AND database = currentDatabase()) AS activeParts,
  (SELECT toFloat64(count()) FROM system.detached_parts WHERE database = currentDatabase()) AS detachedParts,
  (SELECT toFloat64(min(unreserved_space)) FROM system.disks) AS diskFreeBytes`

/** Resolves with `work`, or rejects as soon as the signal aborts. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
}

function toQuery(statement: Sql): { query: string; query_params: Record<string, unknown> } {
  const { text } = render(statement)
  return {
    query: text,
    query_params: Object.fromEntries(statement.params.map((param, index) => [`p${index}`, toQueryParam(param.type, param.value)])),
  }
}
