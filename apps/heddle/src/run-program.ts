import { isApiError } from '@heddle/core-api'
import { CommanderError } from 'commander'
import { createProgram } from './program.ts'
import type { ProgramDeps } from './program-flags.ts'
import { withMaskedNotes } from './settings/command-secrets.ts'
import { toTerminal, type TerminalStreams } from './terminal/terminal.ts'
import { UsageError } from './terminal/usage-error.ts'

/**
 * Runs one command to its end and returns its exit code. `args` follow the name of the program. The code is also reported as it changes, since a signal
 * may end the process before the command.
 */
export async function runProgram(
  args: readonly string[],
  {
    onExitCode,
    terminal,
    ...given
  }: Omit<ProgramDeps, 'setExitCode' | 'terminal'> & { terminal: TerminalStreams; onExitCode?: (code: number) => void },
): Promise<number> {
  const deps = { ...given, terminal: withMaskedNotes(toTerminal(terminal), { args, environment: given.environment }) }
  let exitCode: number | undefined
  const setExitCode = (code: number) => {
    exitCode = code
    onExitCode?.(code)
  }
  try {
    await createProgram({ ...deps, setExitCode }).parseAsync(args, { from: 'user' })
  } catch (error) {
    // A command may have set what its failure means.
    exitCode ??= exitCodeOf(error)
    // The parser has printed its errors.
    if (!(error instanceof CommanderError)) deps.terminal.note(`heddle: ${describe(error)}`)
  }
  return exitCode ?? 0
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode
  return error instanceof UsageError ? 2 : 1
}

/** The message of an expected error; the stack of an unexpected one. */
function describe(error: unknown): string {
  if (isApiError(error) && error.status === 401)
    return 'the server rejected the API key; set HEDDLE_API_KEY, or point --data-dir at the data folder of this server'
  if (isApiError(error) && error.status === 503) return `${error.message}; is the server running? Check with \`heddle doctor\``
  // The message of a StoreError is meant for operators, such as that a disk is full.
  if (error instanceof UsageError || isApiError(error) || (error instanceof Error && error.name === 'StoreError')) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
