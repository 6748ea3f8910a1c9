import { pino } from 'pino'
import { connect } from '../connect.ts'
import { createServerLog } from '../log/server-log.ts'
import { toStartError } from '../server/start/start-error.ts'
import { startServer } from '../server/start-server.ts'
import { flagsTo } from '../server/start/welcome.ts'
import type { Configuration } from '../settings/configuration.ts'
import { findApiKey } from '../settings/find-api-key.ts'
import { baseUrlOf } from '../settings/server-address.ts'
import { withProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The server that the demo runs against. */
export interface DemoServer {
  /** Without a slash at the end. */
  baseUrl: string
  apiKey: string
  /** True when it was started for the demo, and ends with it. */
  isOwn: boolean
  /** Flags with which other commands find it. */
  flags: string
  close(): Promise<void>
}

/** Time within which a running server responds, also on a machine that is busy otherwise. Where none listens, the connection is refused at once. */
const answerLimitMs = 30_000

/** The server at the configured URL; without one, the server that runs at the configured address, or else one that is started on the data folder. */
export async function openDemoServer(configuration: Configuration, terminal: Terminal): Promise<DemoServer> {
  const { url, port } = configuration
  if (url === undefined && !(port !== 0 && (await isHeddle(baseUrlOf(configuration))))) return startOwn(configuration, terminal)
  const { baseUrl, apiKey } = await connect(configuration)
  const flags = url === undefined ? flagsTo(configuration, configuration) : ` --url ${baseUrl}`
  return { baseUrl, apiKey, isOwn: false, flags, close: async () => undefined }
}

async function startOwn(configuration: Configuration, terminal: Terminal): Promise<DemoServer> {
  const log = createServerLog('error', pino.destination({ fd: 2, sync: true }))
  const { server, close } = await withProgress(terminal, 'Starting a server', () => startServer(configuration, log)).catch(
    (error: unknown) => {
      throw toStartError(error, configuration)
    },
  )
  try {
    const apiKey = await findApiKey(configuration)
    return { baseUrl: baseUrlOf(server), apiKey, isOwn: true, flags: flagsTo({ port: configuration.port }, configuration), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function isHeddle(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/server_info`, { signal: AbortSignal.timeout(answerLimitMs) })).ok
  } catch {
    return false
  }
}
