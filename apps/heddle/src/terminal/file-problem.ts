import { UsageError } from './usage-error.ts'
import { messageOf } from './message-of.ts'

/**
 * Why a file that the user named cannot be read, in words; null for an error of another kind. `expected`: what it should be, such as `a file of
 * training data`.
 */
export function fileProblem(error: unknown, path: string, expected: string): string | null {
  switch ((error as { code?: unknown } | null)?.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `the file ${path} does not exist`
    case 'EISDIR':
      return `${path} is a folder, not ${expected}`
    case 'EACCES':
    case 'EPERM':
      return `the file ${path} cannot be read: permission denied`
    default:
      return null
  }
}

/** As `fileProblem`, with the message of an error of another kind. */
export function unreadableFile(error: unknown, path: string, expected: string): UsageError {
  const problem = fileProblem(error, path, expected)
  return new UsageError(problem ?? `cannot read ${path}: ${messageOf(error)}`)
}
