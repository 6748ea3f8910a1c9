import { randomUUID } from 'node:crypto'
import type { ClickHouseClient, ClickHouseSettings, ResultSet } from '@clickhouse/client'
import { type BlockLimits, StoreError, type Queries, type QueryLimits } from '../analytical.ts'
import { assertNotAborted, cancelledError } from './cancelled-error.ts'
import { parseLines } from '../rows/parse-lines.ts'
import { toQuery } from './query-param.ts'
import { type Responsiveness, unresponsive } from '../cluster/responsiveness.ts'
import { startLifetime } from './request-lifetime.ts'
import type { Sql } from '../sql.ts'
import { toStoreError } from '../store-failure.ts'
import type { StatementPermits, Tenant, WorkScope } from './work-scope.ts'

export interface QueriesOptions {
  client: ClickHouseClient
  permits: StatementPermits | undefined
  /** @throws StoreError while the engine is not up. */
  assertReady(): void
  /** Resolves once all rows acknowledged so far are readable. */
  readable(): Promise<void>
  /** Called each time a statement meets damage. */
  onDamage(error: StoreError): void
  /** Tells statements that a cluster does not respond; absent for the embedded engine. */
  responsiveness?: Responsiveness | undefined
  /** Settings of consistent reads; none for the embedded engine, whose reads all are. */
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
  // With FINAL it ends no statement earlier, and opens each part once more.
  optimize_read_in_order: 0,
  // On a cluster a subquery runs on all shards, not only on the local one.
  distributed_product_mode: 'global',
  // Statements are cancelled when the server process exits.
  cancel_http_readonly_queries_on_client_close: 1,
}

/** A statement whose result the engine has started to send. */
interface Running {
  result: ResultSet<'JSONEachRow'>
  /** Releases the permit. When the result was not read completely, the statement is cancelled in the engine first. */
  end(isComplete: boolean): void
  /** To be called for each part of the result. */
  progress(): void
  /** Translates an error that occurred while reading the result. */
  failure(error: unknown): StoreError
}

/** The queries of a scope, over the ClickHouse HTTP interface. */
export function createQueries(options: QueriesOptions): (scope: WorkScope, readable?: () => Promise<void>) => Queries {
  const { client, permits } = options

  /** Resolves once the engine has cancelled the statement, or after `cancelSeconds`. */
  async function cancel(queryId: string): Promise<void> {
    const query = `KILL QUERY WHERE query_id = '${queryId}' SYNC`
    await client.command({ query, abort_signal: AbortSignal.timeout(cancelSeconds * 1000) }).catch(() => undefined)
  }

  async function run(scope: WorkScope, statement: Sql, { limits, settings, readable }: RunOptions): Promise<Running> {
    assertNotAborted('the statement', scope.signal)
    options.assertReady()
    const seconds = limits.maxSeconds ?? options.maxSeconds
    const lifetime = startLifetime(seconds + graceSeconds, scope.signal)
    const watch = options.responsiveness?.watch(() => lifetime.fail(unresponsive()))
    const queryId = randomUUID()
    let release = () => {}
    let isSent = false
    const end = (isComplete: boolean) => {
      lifetime.end()
      watch?.end()
      // What does not respond cancels nothing.
      if (isComplete || !isSent || lifetime.failure) release()
      else void cancel(queryId).finally(release)
    }
    const failure = (error: unknown) => {
      if (scope.signal?.aborted) return cancelledError('the statement', scope.signal)
      if (lifetime.failure) return toStoreError(lifetime.failure)
      if (lifetime.isTimedOut)
        return new StoreError('timeout', `the store did not respond within ${seconds + graceSeconds} seconds`, { cause: error })
      const translated = toStoreError(error)
      if (translated.kind === 'damaged') options.onDamage(translated)
      return translated
    }
    try {
      await lifetime.race(readable())
      if (scope.tenant && permits) release = await acquire(permits, scope.tenant, lifetime.signal)
      const queryLimits = {
        max_execution_time: seconds,
        max_memory_usage: String(Math.floor(limits.maxMemoryBytes ?? options.maxMemoryBytes)),
      }
      isSent = true
      const result = await client.query({
        ...toQuery(statement),
        query_id: queryId,
        use_multipart_params_auto: true,
        format: 'JSONEachRow',
        clickhouse_settings: { ...readSettings, ...queryLimits, ...settings, ...(limits.isConsistent && options.consistentSettings) },
        abort_signal: lifetime.signal,
      })
      lifetime.clearTimeout()
      watch?.progress()
      return { result, end, failure, progress: () => watch?.progress() }
    } catch (error) {
      // An engine that returns an error has ended the statement.
      end(!lifetime.signal.aborted)
      throw failure(error)
    }
  }

  return (scope, readable = options.readable) => ({
    async rows<T>(statement: Sql, limits: QueryLimits = {}): Promise<T[]> {
      const settings = { wait_end_of_query: 1 as const, max_result_bytes: String(maxResultBytes) }
      const { result, end, failure } = await run(scope, statement, { limits, settings, readable })
      try {
        return parseLines(await result.text())
      } catch (error) {
        throw failure(error)
      } finally {
        end(!scope.signal?.aborted)
      }
    },

    async *blocks<T>(statement: Sql, { rowsAtOnce = 4_096, ...limits }: BlockLimits = {}): AsyncIterable<T[]> {
      const settings = { wait_end_of_query: 0 as const, max_block_size: String(rowsAtOnce) }
      const { result, end, failure, progress } = await run(scope, statement, { limits, settings, readable })
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
  })
}

async function acquire(permits: StatementPermits, tenant: Tenant, signal: AbortSignal): Promise<() => void> {
  const release = await permits.acquire(tenant, signal)
  if (release === undefined)
    throw new StoreError('busy', 'the statement was not admitted in time: too many statements of its tenant are running or queued')
  return release
}

/** `readable` is awaited before the statement is sent. */
interface RunOptions {
  limits: QueryLimits
  settings: ClickHouseSettings
  readable: () => Promise<void>
}
