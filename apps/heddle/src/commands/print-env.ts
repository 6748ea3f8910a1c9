import { parseProjectId } from '@heddle/identity'
import type { Configuration } from '../settings/configuration.ts'
import { otelEnvironment, pythonClientEnvironment } from '../settings/emitter-environment.ts'
import { findApiKey } from '../settings/find-api-key.ts'
import { baseUrlOf } from '../settings/server-address.ts'
import { toEnvFileLines, toShellLines } from '../terminal/shell-lines.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface PrintEnvOptions {
  configuration: Configuration
  /** `entity/project`. */
  project: string
  /** Lines for a `.env` file instead of a shell. */
  dotenv?: boolean
  /** Variables of the existing Python client instead of OpenTelemetry's. */
  python?: boolean
}

/** Prints the variables with which an existing program sends its traces here. */
export async function printEnv(options: PrintEnvOptions, terminal: Terminal): Promise<void> {
  const { configuration, project } = options
  const target = { baseUrl: baseUrlOf(configuration), apiKey: await findApiKey(configuration), project: parseProjectId(project).id }
  const variables = options.python ? pythonClientEnvironment(target) : otelEnvironment(target)
  terminal.exact(options.dotenv ? toEnvFileLines(variables) : toShellLines(variables))
}
