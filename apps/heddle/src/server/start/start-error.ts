import type { Configuration } from '../../settings/configuration.ts'
import { UsageError } from '../../terminal/usage-error.ts'

/** What the person can do about an error of the start; other errors stay as they are. */
export function toStartError(error: unknown, { host, port, dataDir }: Pick<Configuration, 'host' | 'port' | 'dataDir'>): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  const isListening = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
  if (isListening) return new UsageError(listenMessage(String(code), { host, port }))
  if (code === 'EACCES' || code === 'EROFS')
    return new UsageError(`cannot write to data folder ${dataDir} (${error.message}); choose another with --data-dir`)
  if (code === 'ENOSPC')
    return new UsageError(`no space left on the disk of data folder ${dataDir}; free some space, or choose another with --data-dir`)
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new UsageError(`data folder ${dataDir} is not a folder; choose another with --data-dir`)
  // The message of a StoreError is meant for operators, such as which process holds the folder.
  return error.name === 'StoreError' ? new UsageError(error.message) : error
}

function listenMessage(code: string, { host, port }: Pick<Configuration, 'host' | 'port'>): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is already in use; stop the other program, or choose another port with --port or HEDDLE_PORT`
    case 'EACCES':
      return `no permission to listen on port ${port}; choose one above 1023 with --port or HEDDLE_PORT`
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine; set --host or HEDDLE_HOST to one, such as 127.0.0.1 or 0.0.0.0`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `cannot resolve host name ${host}; set --host or HEDDLE_HOST to an address, such as 127.0.0.1 or 0.0.0.0`
    default:
      return `cannot listen on ${host}, port ${port} (${code}); choose another address with --host and --port`
  }
}
