import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClient, ClickHouseSettings, QueryParams } from '@clickhouse/client'
import type { BlockLimits, Queries, QueryLimits } from '../analytical.ts'
import { StoreError, type StoreErrorKind } from '../../work/store-error.ts'
import type { TraceStatement } from './trace-statement.ts'
import { assertNotAborted, cancelledError } from '../../work/cancelled-error.ts'
import { eachLine, parseLines } from '../rows/parse-lines.ts'
import { toQuery } from './query-param.ts'
import { type Responsiveness, unresponsive } from '../../work/responsiveness.ts'
import { startLifetime } from './request-lifetime.ts'
import type { Sql } from '../sql.ts'
import { toStoreError } from '../store-failure.ts'
import { derivedTables } from '../tables/all-tables.ts'
import type { RowsNeeded } from '../writes/insert-batcher.ts'
import { projectsOf, type StatementPermits, type Tenant, type WorkScope } from '../../work/work-scope.ts'

export interface QueriesOptions {
  client: ClickHouseClient
  permits: StatementPermits | undefined
  /** @throws StoreError while the engine is not up. */
  assertReady(): void
  /** Resolves once all rows acknowledged so far that a read may need are readable. */
  flush(read: RowsNeeded): Promise<void>
  /** Called each time a statement meets damage. */
  onDamage(error: StoreError): void
  /** Called when a statement begins. */
  trace?: TraceStatement | undefined
  /** Notifies statements that the store does not respond. */
  responsiveness?: Responsiveness | undefined
  /** Settings that make reads consistent; none for the embedded engine, whose reads always are. */
  consistentSettings?: ClickHouseSettings
  /** Default time limit of a query in seconds. */
  maxSeconds: number
  /** Default memory limit of a query in bytes. */
  maxMemoryBytes: number
}

/** Maximum size of the result of `rows`, in bytes. */
const maxResultBytes = 2 ** 28
/** Seconds that a statement may be queued in the engine, in addition to its own limit. */
const graceSeconds = 60
/** Seconds that a cancellation may take; a statement that takes longer runs to its own limit. */
const cancelSeconds = 10

const readSettings: ClickHouseSettings = {
  readonly: '1',
  session_timezone: 'UTC',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_escape_forward_slashes: 0,
  do_not_merge_across_partitions_select_final: 1,
  // With FINAL it ends no statement earlier, but opens each part twice.
  optimize_read_in_order: 0,
  // On a cluster a subquery runs on all shards, not only on the local one.
  distributed_product_mode: 'global',
  // Statements are cancelled when the server process exits.
  cancel_http_readonly_queries_on_client_close: 1,
}

/** Milliseconds before each repetition of a read that a replica refuses. */
const staleWaitsMs = [50, 100, 200, 400, 800, 1_600]

/** REPLICA_IS_NOT_IN_QUORUM */
const isStaleReplica = (error: unknown) =>
  error instanceof StoreError && error.cause instanceof Error && 'code' in error.cause && Number(error.cause.code) === 289

/** A statement as the ClickHouse client accepts it. */
type ClientStatement = Omit<QueryParams, 'format'>

/** A statement whose result the engine has started to send. */
interface Running<Result> {
  result: Result
  /** Releases the permit. When the result was not read completely, the statement is cancelled in the engine first. */
  end(isComplete: boolean): void
  /** To be called for each part of the result. */
  progress(): void
  /** Translates an error that occurred while reading the result. */
  failure(error: unknown): StoreError
}

/** The queries of a scope, over the ClickHouse HTTP interface. */
export function createQueries(options: QueriesOptions): (scope: WorkScope, flush?: QueriesOptions['flush']) => Queries {
  const { client, permits } = options

  /** Resolves once the engine has cancelled the statement, or after `cancelSeconds`. */
  async function cancel(queryId: string): Promise<void> {
    const query = `KILL QUERY WHERE query_id = '${queryId}' SYNC`
    await client.command({ query, abort_signal: AbortSignal.timeout(cancelSeconds * 1000) }).catch(() => undefined)
  }

  /** Repeats a consistent read that a replica refuses, since it lacks acknowledged rows: it fetches them meanwhile, or another replica answers. */
  async function run<Result>(scope: WorkScope, statement: Sql, runOptions: RunOptions<Result>): Promise<Running<Result>> {
    for (const waitMs of staleWaitsMs) {
      try {
        return await runOnce(scope, statement, runOptions)
      } catch (error) {
        if (!isStaleReplica(error)) throw error
        await delay(waitMs, undefined, { signal: scope.signal }).catch(() => assertNotAborted('the statement', scope.signal))
      }
    }
    return runOnce(scope, statement, runOptions)
  }

  async function runOnce<Result>(
    scope: WorkScope,
    statement: Sql,
    { limits, settings, flush, send }: RunOptions<Result>,
  ): Promise<Running<Result>> {
    assertNotAborted('the statement', scope.signal)
    options.assertReady()
    const seconds = limits.maxSeconds ?? options.maxSeconds
    const lifetime = startLifetime(seconds + graceSeconds, scope.signal)
    const watch = options.responsiveness?.watch(() => lifetime.fail(unresponsive()))
    const queryId = randomUUID()
    const span = options.trace?.({ kind: 'read' })
    let problem: StoreErrorKind | undefined
    let release = () => {}
    let isSent = false
    const end = (isComplete: boolean) => {
      span?.end(problem)
      lifetime.end()
      watch?.end()
      // A server that does not respond cannot cancel anything.
      if (isComplete || !isSent || lifetime.failure) release()
      else void cancel(queryId).finally(release)
    }
    const failure = (error: unknown) => {
      const translated = translate(error)
      problem = translated.kind
      return translated
    }
    const translate = (error: unknown) => {
      if (scope.signal?.aborted) return cancelledError('the statement', scope.signal)
      if (lifetime.failure) return toStoreError(lifetime.failure)
      if (lifetime.isTimedOut)
        return new StoreError('timeout', `the store did not respond within ${seconds + graceSeconds} seconds`, { cause: error })
      const translated = toStoreError(error)
      if (translated.kind === 'damaged') options.onDamage(translated)
      return translated
    }
    try {
      await lifetime.race(flush({ projects: projectsOf(scope), derived: mayReadDerived(statement) }))
      if (scope.tenant && permits) release = await acquire(permits, scope.tenant, lifetime.signal)
      const queryLimits = {
        max_execution_time: seconds,
        max_memory_usage: String(Math.floor(limits.maxMemoryBytes ?? options.maxMemoryBytes)),
      }
      isSent = true
      const result = await send({
        ...toQuery(statement),
        query_id: queryId,
        use_multipart_params_auto: true,
        clickhouse_settings: {
          ...readSettings,
          ...queryLimits,
          ...settings,
          ...((limits.isConsistent ?? scope.isWriting) && options.consistentSettings),
        },
        abort_signal: lifetime.signal,
      })
      lifetime.clearTimeout()
      watch?.progress()
      return { result, end, failure, progress: () => watch?.progress() }
    } catch (error) {
      const translated = failure(error)
      // An engine that returns an error has ended the statement.
      end(!lifetime.signal.aborted)
      throw translated
    }
  }

  const sendForRows = (sent: ClientStatement) => client.query({ ...sent, format: 'JSONEachRow' })
  const sendForParquet = async (sent: ClientStatement) => (await client.exec({ ...sent, query: `${sent.query} FORMAT Parquet` })).stream

  /** A small result as JSON lines, which `parse` reads before the statement counts as ended. */
  async function readText<Parsed>(
    scope: WorkScope,
    statement: Sql,
    { limits = {}, flush, parse }: { limits: QueryLimits | undefined; flush: QueriesOptions['flush']; parse: (lines: string) => Parsed },
  ): Promise<Parsed> {
    const settings = { wait_end_of_query: 1 as const, max_result_bytes: String(maxResultBytes) }
    const { result, end, failure } = await run(scope, statement, { limits, settings, flush, send: sendForRows })
    try {
      return parse(await result.text())
    } catch (error) {
      throw failure(error)
    } finally {
      end(!scope.signal?.aborted)
    }
  }

  return (scope, flush = options.flush) => ({
    rows: <T>(statement: Sql, limits?: QueryLimits) => readText(scope, statement, { limits, flush, parse: parseLines<T> }),
    lazyRows: <T>(statement: Sql, limits?: QueryLimits) => readText(scope, statement, { limits, flush, parse: eachLine<T> }),

    async *blocks<T>(statement: Sql, { rowsAtOnce = 4_096, ...limits }: BlockLimits = {}): AsyncIterable<T[]> {
      const settings = { wait_end_of_query: 0 as const, max_block_size: String(rowsAtOnce) }
      const { result, end, failure, progress } = await run(scope, statement, { limits, settings, flush, send: sendForRows })
      const stop = () => result.close()
      scope.signal?.addEventListener('abort', stop, { once: true })
      let isComplete = false
      try {
        for await (const part of result.stream()) {
          progress()
          yield part.map((row) => row.json<T>())
        }
        isComplete = !scope.signal?.aborted
      } catch (error) {
        throw failure(error)
      } finally {
        scope.signal?.removeEventListener('abort', stop)
        result.close()
        end(isComplete)
      }
      assertNotAborted('the statement', scope.signal)
    },

    async *parquet(statement: Sql, limits: QueryLimits = {}): AsyncIterable<Uint8Array> {
      const settings = { wait_end_of_query: 1 as const, ...parquetSettings }
      const { result, end, failure, progress } = await run(scope, statement, { limits, settings, flush, send: sendForParquet })
      const stop = () => result.destroy()
      scope.signal?.addEventListener('abort', stop, { once: true })
      let isComplete = false
      let last = Buffer.alloc(0)
      try {
        for await (const part of result) {
          progress()
          last = Buffer.concat([last, part]).subarray(-parquetMagic.length)
          yield part
        }
        // A cluster appends an error that occurs during the transfer to the result.
        if (!last.equals(parquetMagic)) throw new StoreError('failed', 'the store did not finish a Parquet file')
        isComplete = !scope.signal?.aborted
      } catch (error) {
        throw failure(error)
      } finally {
        scope.signal?.removeEventListener('abort', stop)
        result.destroy()
        end(isComplete)
      }
      assertNotAborted('the statement', scope.signal)
    },
  })
}

/** The first and the last four bytes of a file: https://parquet.apache.org/docs/file-format/ */
const parquetMagic = Buffer.from('PAR1')

const parquetSettings: ClickHouseSettings = {
  output_format_parquet_string_as_string: 1,
  output_format_parquet_compression_method: 'zstd',
  // Payloads are large: a reader holds a row group at a time.
  output_format_parquet_row_group_size: '10000',
  max_block_size: '4096',
}

/** False for a statement that cannot read rows that are derived from others: it would name their table. */
function mayReadDerived({ strings }: Sql): boolean {
  return derivedTables.some(({ name }) => strings.some((text) => text.includes(name)))
}

async function acquire(permits: StatementPermits, tenant: Tenant, signal: AbortSignal): Promise<() => void> {
  const release = await permits.acquire(tenant, signal)
  if (release === undefined)
    throw new StoreError('busy', 'the statement was not admitted in time: too many statements of its tenant are running or queued')
  return release
}

/** `flush` is awaited before the statement is sent. */
interface RunOptions<Result> {
  limits: QueryLimits
  settings: ClickHouseSettings
  flush: QueriesOptions['flush']
  send: (sent: ClientStatement) => Promise<Result>
}
