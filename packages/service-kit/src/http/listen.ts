import type { AddressInfo, Server } from 'node:net'

/**
 * Opens the port of a server.
 * @param at address to listen on, and port, where 0 takes a free one
 * @returns where it listens
 * @throws Error of the system when the port cannot be opened
 */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}
