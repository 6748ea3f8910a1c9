import { randomUUID } from 'node:crypto'
import type { ClickHouseClient, ClickHouseSettings, ResultSet } from '@clickhouse/client'
import { StoreError, type Queries, type QueryLimits } from './analytical.ts'
import { parseLines } from './parse-lines.ts'
import { toQuery } from './query-param.ts'
import { startLifetime } from './request-lifetime.ts'
import type { Sql } from './sql.ts'
import { toStoreError } from './store-failure.ts'
import type { StatementPermits, Tenant, WorkScope } from './work-scope.ts'

export interface QueriesOptions {
  client: ClickHouseClient
  permits: StatementPermits | undefined
  /** @throws StoreError while the engine is not up. */
  assertReady(): void
  /** Resolves when whatever was acknowledged before can be read. */
  readable(): Promise<void>
  /** Seconds of a query that names no limit. */
  maxSeconds: number
  /** Bytes of a query that names no limit. */
  maxMemoryBytes: number
}

/** Bytes of an answer of `rows`. */
const maxAnswerBytes = 2 ** 28
/** Seconds that a statement may wait in the engine, beside its own limit. */
const graceSeconds = 60
/** Seconds in which an engine ends a statement; one that takes longer is left to its own limit. */
const cancelSeconds = 10

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
  // A server that ends takes its statements along.
  cancel_http_readonly_queries_on_client_close: 1,
}

/** A statement that the engine has begun to answer. */
interface Running {
  answer: ResultSet<'JSONEachRow'>
  /** Ends the wait. When not all of the answer was read, the engine is told to end the statement; the permit goes back when it has. */
  end(isComplete: boolean): void
  /** What an error while the answer was read means. */
  failure(error: unknown): StoreError
}

/** The queries of a scope, over the ClickHouse HTTP interface. */
export function createQueries(options: QueriesOptions): (scope: WorkScope, readable?: () => Promise<void>) => Queries {
  const { client, permits } = options

  /** Resolves when the engine has ended the statement, and soon also when it cannot say. */
  async function cancel(queryId: string): Promise<void> {
    const query = `KILL QUERY WHERE query_id = '${queryId}' SYNC`
    await client.command({ query, abort_signal: AbortSignal.timeout(cancelSeconds * 1000) }).catch(() => undefined)
  }

  async function run(scope: WorkScope, statement: Sql, { limits, settings, readable }: Question): Promise<Running> {
    if (scope.signal?.aborted) throw cancelled(scope.signal)
    options.assertReady()
    const seconds = limits.maxSeconds ?? options.maxSeconds
    const lifetime = startLifetime(seconds + graceSeconds, scope.signal)
    const queryId = randomUUID()
    let release = () => {}
    let isSent = false
    const end = (isComplete: boolean) => {
      lifetime.end()
      if (isComplete || !isSent) release()
      else void cancel(queryId).finally(release)
    }
    const failure = (error: unknown) => {
      if (scope.signal?.aborted) return cancelled(scope.signal)
      if (lifetime.isOver)
        return new StoreError('timeout', `the store gave no answer within ${seconds + graceSeconds} seconds`, { cause: error })
      return toStoreError(error)
    }
    try {
      await lifetime.race(readable())
      if (scope.tenant && permits) release = await acquire(permits, scope.tenant, lifetime.signal)
      const bounds = {
        max_execution_time: seconds,
        max_memory_usage: String(Math.floor(limits.maxMemoryBytes ?? options.maxMemoryBytes)),
      }
      isSent = true
      const answer = await client.query({
        ...toQuery(statement),
        query_id: queryId,
        use_multipart_params_auto: true,
        format: 'JSONEachRow',
        clickhouse_settings: { ...readSettings, ...bounds, ...settings },
        abort_signal: lifetime.signal,
      })
      lifetime.keep()
      return { answer, end, failure }
    } catch (error) {
      // An engine that says what is wrong has ended the statement.
      end(!lifetime.signal.aborted)
      throw failure(error)
    }
  }

  return (scope, readable = options.readable) => ({
    async rows<T>(statement: Sql, limits: QueryLimits = {}): Promise<T[]> {
      const settings = { wait_end_of_query: 1 as const, max_result_bytes: String(maxAnswerBytes) }
      const { answer, end, failure } = await run(scope, statement, { limits, settings, readable })
      try {
        return parseLines(await answer.text())
      } catch (error) {
        throw failure(error)
      } finally {
        end(!scope.signal?.aborted)
      }
    },

    async *blocks<T>(statement: Sql, limits: QueryLimits = {}): AsyncIterable<T[]> {
      const settings = { wait_end_of_query: 0 as const, max_block_size: '4096' }
      const { answer, end, failure } = await run(scope, statement, { limits, settings, readable })
      const stop = () => answer.close()
      scope.signal?.addEventListener('abort', stop, { once: true })
      let isComplete = false
      try {
        for await (const part of answer.stream()) yield part.map((row) => row.json<T>())
        isComplete = !scope.signal?.aborted
      } catch (error) {
        throw failure(error)
      } finally {
        scope.signal?.removeEventListener('abort', stop)
        answer.close()
        end(isComplete)
      }
      if (scope.signal?.aborted) throw cancelled(scope.signal)
    },
  })
}

async function acquire(permits: StatementPermits, tenant: Tenant, signal: AbortSignal): Promise<() => void> {
  const release = await permits.acquire(tenant, signal)
  if (release === undefined) throw new StoreError('busy', 'the statement was not admitted in time: others of its tenant run or wait')
  return release
}

/** What is asked of the engine, and what is waited for first. */
interface Question {
  limits: QueryLimits
  settings: ClickHouseSettings
  readable: () => Promise<void>
}

function cancelled({ reason }: AbortSignal): StoreError {
  return new StoreError('cancelled', 'the statement was cancelled: nobody waits for its answer any more', { cause: reason })
}
