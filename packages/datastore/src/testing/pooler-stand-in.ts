import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy before PostgreSQL that does what PgBouncer does with a connection: it takes few startup parameters, and its processes are its own. */
export interface PoolerStandIn {
  url: string
  /** Startup parameters that were refused. */
  refused: string[]
  close(): Promise<void>
}

const takenParameters = new Set(['user', 'database', 'client_encoding', 'application_name', 'DateStyle', 'TimeZone'])
const setTimeout = Buffer.from('SET statement_timeout = ')

/** With transaction pooling a setting of the session is lost with the next transaction, so that of statements becomes "none" on its way. */
export async function startPoolerStandIn(serverUrl: string): Promise<PoolerStandIn> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    client.once('data', (startup: Buffer) => {
      const unknown = parametersOf(startup).filter((name) => !takenParameters.has(name))
      if (unknown.length > 0) {
        pooler.refused.push(...unknown)
        client.end(errorMessage(`unsupported startup parameter: ${unknown[0]}`))
        return
      }
      upstream.write(startup)
      client.on('data', (chunk: Buffer) => void upstream.write(withoutSessionLimit(chunk)))
    })
    upstream.on('data', (chunk: Buffer) => void client.write(withOwnProcess(chunk)))
  })
  const pooler: PoolerStandIn = {
    url: '',
    refused: [],
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  pooler.url = url.href
  return pooler
}

/** Names of the parameters of a startup message: pairs of names and values that end with 0 each. */
function parametersOf(startup: Buffer): string[] {
  const words = startup.subarray(8).toString().split('\0')
  return words.filter((name, at) => at % 2 === 0 && name !== '')
}

function errorMessage(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** The message that tells the process of a connection, `K`, gets another one. */
function withOwnProcess(chunk: Buffer): Buffer {
  const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  if (at === -1 || at + 9 > chunk.length) return chunk
  const changed = Buffer.from(chunk)
  changed.writeInt32BE(2_000_000_000, at + 5)
  return changed
}

function withoutSessionLimit(chunk: Buffer): Buffer {
  // A query of its own: `Q`, its length, and the text.
  if (chunk[0] !== 0x51 || chunk.indexOf(setTimeout) !== 5) return chunk
  const changed = Buffer.from(chunk)
  changed.fill('0', 5 + setTimeout.length, changed.length - 1)
  return changed
}
