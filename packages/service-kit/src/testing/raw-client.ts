import { connect, type Socket } from 'node:net'

/** A client that writes raw bytes. */
export interface RawClient {
  socket: Socket
  write(text: string | Uint8Array): void
  /** Resolves with all that came once `part` is in it. */
  until(part: string): Promise<string>
  /** Resolves with all that came once the server has closed the connection. */
  closed: Promise<string>
}

export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false })
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    socket,
    closed,
    write: (text) => void socket.write(text),
    until: (part) =>
      new Promise((resolve, reject) => {
        const look = () => received.includes(part) && resolve(received)
        socket.on('data', look)
        socket.once('close', () =>
          received.includes(part) ? resolve(received) : reject(new Error(`closed after ${JSON.stringify(received)}`)),
        )
        look()
      }),
  }
}
