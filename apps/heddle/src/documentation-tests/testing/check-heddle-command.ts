import type { Command } from 'commander'
import { createProgram } from '../../program.ts'
import { type Flags, toConfiguration, warningsOf } from '../../settings/configuration.ts'
import { settingKeys } from '../../settings/settings.ts'
import { toTerminal } from '../../terminal/terminal.ts'

/** The command line of Heddle with all its rules, whose commands do nothing. `notes` collects what it complains about. */
export function idleProgram(environment: Record<string, string>, notes: string[]): { program: Command; chosen: () => Command | undefined } {
  const write = (text: string) => void notes.push(text)
  const terminal = toTerminal({ out: write, note: write, status: () => undefined, isInteractive: false })
  const program = createProgram({ environment, terminal, setExitCode: () => undefined })
  let chosen: Command | undefined
  const silence = (command: Command): void => {
    if (command.commands.length === 0) command.action(() => void (chosen = command))
    for (const one of command.commands) silence(one)
  }
  silence(program)
  return { program, chosen: () => chosen }
}

/**
 * Checks a call of the command by its real parser: command, arguments, options with their choices, settings and `HEDDLE_` variables.
 * @throws Error with the words of the parser
 */
export function checkHeddleCommand(args: readonly string[], environment: Record<string, string>): void {
  const notes: string[] = []
  const { program, chosen } = idleProgram(environment, notes)
  try {
    program.parse(args, { from: 'user' })
  } catch (error) {
    throw new Error(`heddle ${args.join(' ')}: ${notes.join('\n') || String(error)}`, { cause: error })
  }
  const command = chosen()
  if (!command) throw new Error(`heddle ${args.join(' ')}: names no command`)
  const given: Record<string, string> = command.opts()
  const flags: Flags = Object.fromEntries(settingKeys.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])))
  // The credentials of buckets are the reader's.
  toConfiguration({ environment: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', ...environment }, flags })
  const [warning] = warningsOf(environment)
  if (warning !== undefined) throw new Error(warning)
}
