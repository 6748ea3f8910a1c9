// The socket of our own child process, which leads nowhere else.
// oxlint-disable-next-line no-restricted-imports
import { request } from 'node:http'
import { StoreError } from '../../work/store-error.ts'

/**
 * Checks over a new connection that the engine at a socket responds.
 * @throws StoreError `unavailable` if the socket cannot be opened, or the signal aborts first
 */
export function pingEngine(socketPath: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new StoreError('unavailable', 'the embedded store does not respond', { cause }))
    const ping = request({ socketPath, path: '/ping', agent: false, signal }, (response) => {
      response.on('error', fail).on('end', resolve).resume()
    })
    ping.on('error', fail).end()
  })
}
