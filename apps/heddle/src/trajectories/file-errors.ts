import { UsageError } from '../terminal/usage-error.ts'

/** What is wrong with a file of trajectory groups, for the one who gave it; any other error as it is. */
export function asUsageError(error: unknown, path: string): unknown {
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: string }
  if (code === 'ENOENT') return new UsageError(`the file ${path} does not exist`)
  if (code === 'EISDIR') return new UsageError(`${path} is a folder, not a file of trajectory groups`)
  if (code === 'EACCES') return new UsageError(`the file ${path} cannot be read: permission denied`)
  return name === 'UnreadableGroup' ? new UsageError(message ?? '') : error
}
