import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Session } from 'chdb'
import { BadRequest, parseForm, readBody, readFields, type EngineRequest } from './engine-request.ts'
import type { EngineConfig } from './engine-config.ts'
import { knownValues } from './statements/known-values.ts'
import { quoteText } from '../quote.ts'
import { createRunningStatements, parseCancel } from './statements/running-statements.ts'
import { parseRowInsert, rowInsertStatement, type RowInsert } from './statements/row-insert.ts'
import { QueueFull, type SessionPool } from './statements/session-pool.ts'
import { settingsClause } from './settings.ts'
import { spoolBody } from './statements/spool-body.ts'
import { RefusedStatement, type CheckedStatement, type StatementGuard } from './statements/statement.ts'
import { streamAnswer } from './statements/stream-answer.ts'
import { messageOf } from '../../message-of.ts'

export interface EngineServerOptions {
  /** Runs inserts of rows, so that long statements do not block writers. */
  inserts: SessionPool<Session>
  /** Runs all other changes, such as a mutation or a backup, which may take an hour. */
  changes: SessionPool<Session>
  queries: SessionPool<Session>
  guard: StatementGuard
  /** Folder of the files that inserts name. */
  journalDir: string
  /** Folders for rows in the body of inserts, in order of preference. */
  rowsDirs: readonly string[]
  maxInsertBytes: number
  knownColumns: EngineConfig['knownColumns']
}

/** Maximum bytes of one statement with its parameters. */
export const maxStatementBytes = 16 * 1024 * 1024

/** Serves the subset of the ClickHouse HTTP interface that the client uses. */
export function createEngineListener(options: EngineServerOptions): RequestListener {
  const { inserts, changes, queries, guard, journalDir, rowsDirs, maxInsertBytes, knownColumns } = options
  const columnTypes = new Map<string, ReadonlyMap<string, string>>()
  const running = createRunningStatements()
  let files = 0

  async function typesOf(session: Session, table: string): Promise<ReadonlyMap<string, string>> {
    const known = columnTypes.get(table)
    if (known) return known
    const answer = await session.queryAsync(`DESCRIBE TABLE ${table}`, { format: 'JSONCompactEachRow' })
    const lines = answer.text().trim().split('\n')
    const types = new Map(lines.map((line): [string, string] => JSON.parse(line)))
    columnTypes.set(table, types)
    return types
  }

  async function insertFile(insert: RowInsert, path: string, signal: AbortSignal): Promise<void> {
    await inserts.use(async (session) => {
      const types = await typesOf(session, insert.table)
      const known = knownValues(path, knownColumns[insert.table] ?? [])
      await session.queryAsync(rowInsertStatement(insert, { types, path, known }))
    }, signal)
  }

  async function insertBody(insert: RowInsert, request: IncomingMessage, signal: AbortSignal): Promise<void> {
    const path = await spoolBody(request, { folders: rowsDirs, name: `rows-${files++}`, maxBytes: maxInsertBytes })
    await insertFile(insert, path, signal).finally(() => rmSync(path, { force: true }))
  }

  async function runStatement(request: EngineRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const statement = guard.check(request.query ?? '')
    if (statement.kind === 'change' && request.settings.get('readonly') === '1')
      throw new BadRequest(164, `${statement.verb} is not a read-only statement`)
    const text = statement.text + settingsClause(statement.verb, request.settings)
    const params = paramStatements(statement, request)
    if (statement.kind === 'change') columnTypes.clear()
    const sessions = statement.kind === 'change' ? changes : queries
    await sessions.use(async (session) => {
      if (request.isStreamed) return streamAnswer(session, { params, text, format: statement.format }, response)
      const answer = await session.queryAsync(params + text, { format: statement.format })
      response.end(answer.bytes())
    }, signal)
  }

  async function answer(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const address = new URL(request.url ?? '/', 'http://engine')
    if (address.pathname === '/ping') {
      response.end('Ok.\n')
      return
    }
    const fields = readFields(address.searchParams)
    const withRows = parseRowInsert(fields)
    if (withRows) {
      await insertBody(withRows, request, signal)
      response.end()
      return
    }
    const body = await readBody(request, maxStatementBytes)
    const requested = withBody(fields, request.headers['content-type'], body)
    const cancelledId = parseCancel(requested.query)
    if (cancelledId !== undefined) {
      await running.cancel(cancelledId)
      response.end()
      return
    }
    const insert = parseRowInsert(requested)
    if (insert?.file === undefined) return runStatement(requested, response, signal)
    await insertFile(insert, join(journalDir, insert.file), signal)
    response.end()
  }

  return (request, response) => {
    const id = new URL(request.url ?? '/', 'http://engine').searchParams.get('query_id') ?? ''
    void running.track(id, async (ended) => {
      response.once('close', () => ended.abort(new Error('the client disconnected')))
      await answer(request, response, ended.signal).catch((error: unknown) => answerError(response, error))
    })
  }
}

/** A server for the listener that does not listen yet. */
export function newEngineServer(listener: RequestListener): Server {
  const server = createServer({ maxHeaderSize: 64 * 1024 }, listener)
  // The only client keeps its connections; closing an idle one would race with its next request.
  server.keepAliveTimeout = 0
  return server
}

function withBody(fields: EngineRequest, contentType: string | undefined, body: Buffer): EngineRequest {
  const form = parseForm(contentType, body)
  if (!form) return { ...fields, query: [fields.query, body.toString('utf8')].filter(Boolean).join('\n') }
  const own = readFields(form)
  return { ...fields, query: own.query ?? fields.query, params: new Map([...fields.params, ...own.params]) }
}

/** Parameters persist in a session, so each one in the text must be set in the same call, or an older value would be used. One `SET` for all: each takes as long as a small query. */
function paramStatements(statement: CheckedStatement, request: EngineRequest): string {
  const assignments = [...statement.params].map((name) => {
    const value = request.params.get(name)
    if (value === undefined) throw new BadRequest(456, `parameter ${name} of the statement has no value`)
    return `param_${name}=${quoteText(value)}`
  })
  return assignments.length === 0 ? '' : `SET ${assignments.join(', ')}; `
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  const { status, code, message } = describe(error)
  response.writeHead(status, { 'X-ClickHouse-Exception-Code': String(code) })
  response.end(/^Code: \d+\./.test(message) ? message : `Code: ${code}. DB::Exception: ${message} (ENGINE_CHILD)`)
}

function describe(error: unknown): { status: number; code: number; message: string } {
  const message = messageOf(error)
  if (error instanceof QueueFull) return { status: 503, code: 202, message }
  if (error instanceof BadRequest) return { status: 400, code: error.code, message }
  if (error instanceof RefusedStatement) return { status: 403, code: 497, message }
  if (error instanceof RangeError) return { status: 400, code: 457, message }
  if (/ENOSPC/.test(message)) return { status: 500, code: 243, message }
  return { status: 500, code: Number(/^Code: (\d+)\./.exec(message)?.[1] ?? 0), message }
}
