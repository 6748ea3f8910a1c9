import type { CallEntry, ServerOptions } from '../connection/server-options.ts'
import { serveOverStdio } from '../stdio/serve-stdio.ts'
import type { Telemetry } from '../telemetry/create-telemetry.ts'
import { version } from '../version.ts'
import { createLog, type ProgramLog } from './create-log.ts'
import { examine } from './doctor.ts'
import { helpText } from './flags.ts'
import { type CommandLine, type Environment, parseCommandLine, readLogLevel, toServerOptions } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** The program's surroundings. */
export interface ProgramIo {
  environment: Environment
  cwd: string
  nodeVersion: string
  out: (text: string) => void
  err: (text: string) => void
  /** Resolves at SIGINT or SIGTERM. */
  untilStopped: () => Promise<void>
}

/** Runs the command. Resolves to its exit code; undefined while it serves stdio, which ends with its input. */
export async function runProgram(args: readonly string[], io: ProgramIo): Promise<number | undefined> {
  try {
    const line = parseCommandLine(args)
    if (line.values.help) io.out(helpText())
    else if (line.values.version) io.out(`${version}\n`)
    else return await runCommand(line, io)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    io.err(`heddle-mcp: ${error.message}\n`)
    return 2
  }
}

async function runCommand({ command, client, values }: CommandLine, io: ProgramIo): Promise<number | undefined> {
  const options = toServerOptions(values, io.environment)
  if (command === 'doctor') return runDoctor(options, io)
  if (command === 'init') {
    const { init } = await import('./init.ts')
    await init({ client, options, write: values.write === true, cwd: io.cwd, print: io.out })
    return 0
  }
  const log = createLog(readLogLevel(values['log-level']), io.err)
  const telemetry = values.otel === true ? await startTelemetry(options) : undefined
  const logged = {
    ...options,
    onCall: (entry: CallEntry) => {
      log.call(entry)
      telemetry?.record(entry)
    },
    onError: (error: unknown, request?: { requestId?: string }) => log.error('request failed', error, request),
    logArguments: values['log-arguments'] === true,
  }
  if (values.http !== undefined) return serveOverHttp({ values, options: logged, log, telemetry }, io)
  const serving = serveOverStdio({ ...logged, onError: (error) => log.error('protocol error', error) })
  if (!telemetry) return undefined
  // Spans that wait are sent before the program ends.
  await Promise.race([serving.closed, io.untilStopped()])
  await Promise.all([serving.close(), telemetry.close()])
  return 0
}

interface Serving {
  options: ServerOptions
  log: ProgramLog
  telemetry: Telemetry | undefined
}

async function startTelemetry({ baseUrl, apiKey, project }: ServerOptions): Promise<Telemetry> {
  if (apiKey === undefined || project === undefined)
    throw new UsageError('--otel needs a key and a project to send spans to; set HEDDLE_API_KEY and HEDDLE_PROJECT')
  const { createTelemetry } = await import('../telemetry/create-telemetry.ts')
  return createTelemetry({ baseUrl, apiKey, project })
}

async function serveOverHttp(
  { values, options, log, telemetry }: Serving & { values: CommandLine['values'] },
  io: ProgramIo,
): Promise<number> {
  const { serveHttp, toHttpOptions } = await import('./serve-http.ts')
  const serving = await serveHttp(toHttpOptions(values, options))
  io.err(`heddle-mcp is ready at ${serving.url}\n`)
  await io.untilStopped()
  log.info('stopping')
  await serving.close()
  await telemetry?.close()
  return 0
}

async function runDoctor(options: ReturnType<typeof toServerOptions>, io: ProgramIo): Promise<number> {
  let hasFailed = false
  for await (const { name, state, detail } of examine(options, io.nodeVersion)) {
    hasFailed ||= state === 'failure'
    io.out(`${{ ok: '✓', warning: '!', failure: '✗' }[state]} ${name.padEnd(11)} ${detail}\n`)
  }
  return hasFailed ? 1 : 0
}
