import type { Configuration } from '../settings/configuration.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** What the person can do about an error of the start; other errors stay as they are. */
export function toStartError(error: unknown, { host, port, dataDir }: Pick<Configuration, 'host' | 'port' | 'dataDir'>): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  const isListening = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
  if (isListening) return new UsageError(listenMessage(String(code), { host, port }))
  if (code === 'EACCES' || code === 'EROFS')
    return new UsageError(`the data folder ${dataDir} cannot be written to (${error.message}); choose another with --data-dir`)
  if (code === 'ENOSPC')
    return new UsageError(`there is no room left for the data folder ${dataDir}; make room, or choose another with --data-dir`)
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new UsageError(`the data folder ${dataDir} is not a folder; choose another with --data-dir`)
  // A store says by itself what is wrong, such as which process holds the folder.
  return error.name === 'StoreError' ? new UsageError(error.message) : error
}

function listenMessage(code: string, { host, port }: Pick<Configuration, 'host' | 'port'>): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken by another program; stop that one, or choose another port with --port or HEDDLE_PORT`
    case 'EACCES':
      return `this user may not listen on port ${port}; choose one above 1023 with --port or HEDDLE_PORT`
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine; choose one with --host or HEDDLE_HOST, such as 127.0.0.1 or 0.0.0.0`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${host} is not known; choose an address with --host or HEDDLE_HOST, such as 127.0.0.1 or 0.0.0.0`
    default:
      return `cannot listen on ${host}, port ${port} (${code}); choose others with --host and --port`
  }
}
