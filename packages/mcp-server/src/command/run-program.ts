import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createServerFactory } from '../server/create-server.ts'
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
  /** Resolves when the program is told to stop. */
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
  const logged = {
    ...options,
    onCall: log.call,
    onError: (error: unknown) => log.error('request failed', error),
    logArguments: values['log-arguments'] === true,
  }
  if (values.http !== undefined) return serveOverHttp({ values, options: logged, log }, io)
  const createServer = createServerFactory(logged)
  serveStdio(() => createServer(), { onerror: (error) => log.error('protocol error', error) })
  return undefined
}

async function serveOverHttp(
  { values, options, log }: { values: CommandLine['values']; options: ReturnType<typeof toServerOptions>; log: ProgramLog },
  io: ProgramIo,
): Promise<number> {
  const { serveHttp, toHttpOptions } = await import('./serve-http.ts')
  const serving = await serveHttp(toHttpOptions(values, options))
  io.err(`heddle-mcp is ready at ${serving.url}\n`)
  await io.untilStopped()
  log.info('stopping')
  await serving.close()
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
