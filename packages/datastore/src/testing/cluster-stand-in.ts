import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** One request, as a ClickHouse server gets it. */
export interface ClusterStatement {
  /** The kind of statement by its first words: `INSERT INTO`. */
  text: string
  /** The database that it names; undefined for none. */
  database: string | undefined
  settings: Readonly<Record<string, string>>
}

/** A stand-in for a ClickHouse server over HTTP, which knows databases and keeps no rows. */
export interface ClusterStandIn {
  url: string
  statements: ClusterStatement[]
  /** Pings that it has answered. */
  pings: number
  databases: Set<string>
  version: string
  /** True: a server with the macros of a cluster. */
  isReplicated: boolean
  /** True: it accepts connections and requests, and never answers. */
  isFrozen: boolean
  /** True: statements take for ever, and signs of life are given at once. */
  isSlow: boolean
  /** Code of the error that each insert is answered with; 0 for none. */
  insertErrorCode: number
  close(): Promise<void>
}

const mark = 'X-ClickHouse-Exception-Code'

export async function startClusterStandIn(): Promise<ClusterStandIn> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://stand-in')
      if (standIn.isFrozen) return
      if (url.pathname === '/ping') {
        standIn.pings++
        return void response.end('Ok.\n')
      }
      const statement = toStatement(url, body)
      standIn.statements.push(statement)
      if (standIn.isSlow && !statement.text.startsWith('KILL')) return
      const failure = failureOf(statement)
      if (failure) {
        response.writeHead(failure.code === 81 ? 404 : 500, { [mark]: String(failure.code) })
        return void response.end(`Code: ${failure.code}. DB::Exception: ${failure.text}`)
      }
      response.end(answerTo(statement))
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const standIn: ClusterStandIn = {
    url: await listen(server),
    statements: [],
    pings: 0,
    databases: new Set(['default', 'system']),
    version: '26.3.1.1',
    isReplicated: false,
    isFrozen: false,
    isSlow: false,
    insertErrorCode: 0,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }

  /** A server refuses whatever names a database that is not there, also the statement that would create it. */
  function failureOf({ text, database = 'default' }: ClusterStatement): { code: number; text: string } | undefined {
    if (!standIn.databases.has(database)) return { code: 81, text: `Database ${database} does not exist. (UNKNOWN_DATABASE)` }
    const named = /\b(?:INTO|TABLE(?: IF NOT EXISTS)?) (\w+)\./.exec(text)?.[1]
    if (named !== undefined && !standIn.databases.has(named))
      return { code: 81, text: `Database ${named} does not exist. (UNKNOWN_DATABASE)` }
    if (text.startsWith('INSERT') && standIn.insertErrorCode !== 0) return { code: standIn.insertErrorCode, text: 'as told' }
    return undefined
  }

  function answerTo({ text }: ClusterStatement): string {
    const created = /^CREATE DATABASE IF NOT EXISTS (\w+)/.exec(text)?.[1]
    if (created !== undefined) standIn.databases.add(created)
    if (text.includes('system.macros'))
      return standIn.isReplicated ? lines(['cluster', 'shard', 'replica'].map((macro) => ({ macro }))) : ''
    if (text.includes('version()')) return lines([{ version: standIn.version, isCreated: standIn.databases.has('heddle') ? 1 : 0 }])
    return ''
  }

  return standIn
}

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

function toStatement(url: URL, body: string): ClusterStatement {
  const { query, database, ...settings } = Object.fromEntries(url.searchParams)
  return { text: (query ?? body).trim(), database, settings }
}
