import type { Command } from 'commander'
import { type Configuration, type Environment, type Flags, toConfiguration, warningsOf } from './settings/configuration.ts'
import { helpOf } from './settings/describe-settings.ts'
import { type SettingKey, settingKeys } from './settings/settings.ts'
import type { runWithHeap } from './process/run-with-heap.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface ProgramDeps {
  environment: Environment
  terminal: Terminal
  /** Sets the code with which the command ends; the last one counts. Default 0, or that of its error. */
  setExitCode: (code: number) => void
  /** Runs the command again in a process with another heap. Absent where this process is not the command's own, as in tests. */
  runAgain?: typeof runWithHeap
}

export interface ActionDeps {
  configuration: Configuration
  terminal: Terminal
}

/** Settings of commands that speak with the server. */
export const clientSettings = ['host', 'port', 'basePath', 'url', 'dataDir', 'apiKey'] as const

/** Adds the flags of commands that read a project of the server. */
export function withSource(command: Command, deps: ProgramDeps): Command {
  return withProject(withSettings(command, [...clientSettings, 'timeZone']), 'project to read', deps).option('--json', 'print JSON')
}

/** Adds the project, for which programs that send traces have the same variable and default. */
export function withProject(command: Command, help: string, { environment }: ProgramDeps): Command {
  return command.option('--project <entity/project>', `${help} [HEDDLE_PROJECT]`, environment['HEDDLE_PROJECT'] || 'local/default')
}

/** Adds the flags of the settings that the command uses. */
export function withSettings(command: Command, keys: readonly SettingKey[]): Command {
  for (const { flag, text } of settingKeys.filter((key) => keys.includes(key)).map(helpOf)) command.option(flag, text)
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
