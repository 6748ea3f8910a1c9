import { createServer } from 'node:net'

/** From which systems take no ports for connections and for servers that name none: those would now and then take one that was free a moment before. */
const ports = { first: 10_240, count: 20_000 }

/** A port of the loopback address that is free, and that nothing takes which does not name it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ports.first + Math.floor(Math.random() * ports.count)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => void server.close(() => resolve(true)))
  })
}
