import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engine } from '../analytical/engine/engine.ts'

/** One statement, as a ClickHouse server gets it. */
export interface SentStatement {
  text: string
  /** The database that it names; undefined for none. */
  database: string | undefined
  settings: Readonly<Record<string, string>>
}

/** An engine behind an HTTP address, as a ClickHouse server that has no database of ours yet: it keeps rows and computes. */
export interface EngineAsCluster {
  url: string
  statements: SentStatement[]
  /** Each statement that this names by a part of its text is refused this many times, as by a replica that lacks rows. */
  stale: { part: string; times: number }
  close(): Promise<void>
}

const errorCode = 'x-clickhouse-exception-code'

export async function serveEngineAsCluster({ socketPath }: Pick<Engine, 'socketPath'>): Promise<EngineAsCluster> {
  let isCreated = false

  /** What a server answers that this engine would not. */
  function ownAnswer({ text, database }: SentStatement): { code?: number; body: string } | undefined {
    if (database === 'heddle' && !isCreated)
      return { code: 81, body: 'Code: 81. DB::Exception: Database heddle does not exist. (UNKNOWN_DATABASE)' }
    if (text.startsWith('CREATE DATABASE')) isCreated = true
    else if (text.includes('isCreated')) return { body: `${JSON.stringify({ version: '26.3.1.1', isCreated: isCreated ? 1 : 0 })}\n` }
    if (cluster.stale.times === 0 || !text.includes(cluster.stale.part)) return undefined
    cluster.stale.times--
    return { code: 289, body: 'Code: 289. DB::Exception: Replica is not in quorum. (REPLICA_IS_NOT_IN_QUORUM)' }
  }

  const server = createServer((from, to) => {
    void readBytes(from).then((body) => {
      if (from.url === '/ping') return void to.end('Ok.\n')
      const statement = toStatement(new URL(from.url ?? '/', 'http://engine'), body)
      cluster.statements.push(statement)
      const answer = ownAnswer(statement)
      if (answer?.code !== undefined) to.writeHead(500, { [errorCode]: answer.code })
      if (answer) return void to.end(answer.body)
      const passed = request({ socketPath, path: from.url, method: from.method, headers: from.headers }, (answered) => {
        to.writeHead(answered.statusCode ?? 500, answered.headers)
        answered.pipe(to)
      })
      passed.on('error', () => to.destroy())
      passed.end(body)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const cluster: EngineAsCluster = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    statements: [],
    stale: { part: '', times: 0 },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  return cluster
}

async function readBytes(from: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of from) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function toStatement(url: URL, body: Buffer): SentStatement {
  const { query, database, ...settings } = Object.fromEntries(url.searchParams)
  const inForm = /name="query"\r\n\r\n([^]*?)\r\n--/.exec(body.toString('latin1'))?.[1]
  return { text: (query ?? inForm ?? body.toString('latin1')).trim(), database, settings }
}
