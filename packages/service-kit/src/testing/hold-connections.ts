import { connect } from 'node:net'
import process from 'node:process'

/** What a client says before it falls silent. */
const openings = {
  nothing: '',
  halfHeaders: 'POST /sample/create HTTP/1.1\r\nHost: local\r\n',
  halfBody: 'POST /sample/create HTTP/1.1\r\nHost: local\r\nAuthorization: Bearer key\r\nContent-Length: 100\r\n\r\n{"project_id":',
  wholeRequest: 'GET /health HTTP/1.1\r\nHost: local\r\n\r\n',
}

export type Opening = keyof typeof openings

/** How many connections with each opening ended with each status; 0 for none. */
export type Ends = Record<Opening, Record<number, number>>

export type HoldMessage = { type: 'open' } | { type: 'closed'; ends: Ends }

/** Connections that are being made at a time. */
const atOnce = 200

// Opens connections, reports when all are open, sends nothing more, and reports how they ended: `hold-connections.ts <port> <how many>`.
const [port, count] = process.argv.slice(2).map(Number)
const ends: Ends = { nothing: {}, halfHeaders: {}, halfBody: {}, wholeRequest: {} }
const kinds = Object.keys(openings) as Opening[]
const tell = (message: HoldMessage) => process.send?.(message)

function hold(opening: Opening): { open: Promise<void>; closed: Promise<void> } {
  const socket = connect({ port: port ?? 0, host: '127.0.0.1' })
  let status = 0
  socket.on('error', () => undefined)
  const open = new Promise<void>((resolve) => {
    socket.once('close', resolve)
    socket.once('connect', () => {
      socket.write(openings[opening])
      if (opening !== 'wholeRequest') resolve()
    })
    socket.on('data', (chunk: Buffer) => {
      status = Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? status)
      resolve()
    })
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      ends[opening][status] = (ends[opening][status] ?? 0) + 1
      resolve()
    })
  })
  return { open, closed }
}

const held: Promise<void>[] = []
for (let made = 0; made < (count ?? 0); made += atOnce) {
  const batch = Array.from({ length: Math.min(atOnce, (count ?? 0) - made) }, (_, index) => hold(kinds[index % kinds.length] ?? 'nothing'))
  held.push(...batch.map(({ closed }) => closed))
  await Promise.all(batch.map(({ open }) => open))
}
tell({ type: 'open' })
await Promise.all(held)
tell({ type: 'closed', ends })
process.disconnect?.()
