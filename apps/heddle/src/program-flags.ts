import type { Command } from 'commander'
import { type Configuration, type Environment, type Flags, settings, toConfiguration, warningsOf } from './settings/configuration.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface ProgramDeps {
  environment: Environment
  terminal: Terminal
  /** Sets the code with which the command ends; the last one counts. Default 0, or that of its error. */
  setExitCode: (code: number) => void
}

export interface ActionDeps {
  configuration: Configuration
  terminal: Terminal
}

/** Settings of commands that speak with the server. */
export const clientSettings = ['host', 'port', 'dataDir', 'apiKey'] as const

/** Default project of programs that send traces, and of the commands that read them. */
export const defaultProject = 'local/default'

export function withSource(command: Command): Command {
  return withSettings(command, clientSettings)
    .option('--project <entity/project>', 'project to read', defaultProject)
    .option('--url <url>', 'base URL of the server (default: from --host and --port)')
    .option('--json', 'print JSON')
}

/** Adds the flags of the settings that the command uses. */
export function withSettings(command: Command, keys: readonly (keyof Configuration)[]): Command {
  for (const { key, flag, variable, help } of settings) if (keys.includes(key)) command.option(flag, `${help} [${variable}]`)
  return command
}

export function configure(flags: Flags, { environment, terminal }: ProgramDeps): ActionDeps {
  for (const warning of warningsOf(environment)) terminal.note(`warning: ${warning}`)
  return { configuration: toConfiguration({ environment, flags }), terminal }
}

export function collect(value: string, values: string[] = []): string[] {
  return [...values, value]
}

/** Runs work that the user stops with Ctrl-C, which is not an error. */
export async function untilInterrupt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  try {
    await work(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}
