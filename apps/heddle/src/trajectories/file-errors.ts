import { fileProblem } from '../terminal/file-problem.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** What is wrong with a file of trajectory groups, for the one who gave it; any other error as it is. */
export function asUsageError(error: unknown, path: string): unknown {
  const problem = fileProblem(error, path, 'a file of trajectory groups')
  if (problem !== null) return new UsageError(problem)
  const { name, message } = error as { name?: unknown; message?: string }
  return name === 'UnreadableGroup' ? new UsageError(message ?? '') : error
}
