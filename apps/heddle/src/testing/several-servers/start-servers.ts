import { join } from 'node:path'
import { type RunningCommand, startCommand } from '../run-command.ts'
import { type Proxy, startRoundRobinProxy } from './round-robin-proxy.ts'

export const apiKey = 'a-key-of-several-servers-with-fifty-characters-or-so'

/** Several servers over the same stores, and a proxy before them. */
export interface Servers {
  proxy: Proxy
  /** Address of each server alone. */
  addresses: readonly string[]
  kill(at: number): Promise<void>
  /** Resolves once the server is ready, perhaps at another address. */
  start(at: number): Promise<void>
  close(): Promise<void>
}

interface Options {
  count: number
  folder: string
  environment: Readonly<Record<string, string>>
}

export async function startServers({ count, folder, environment }: Options): Promise<Servers> {
  const commands: RunningCommand[] = []
  const addresses: string[] = []
  const proxy = await startRoundRobinProxy(() => addresses)
  const kill = async (at: number) => {
    commands[at]?.child.kill('SIGKILL')
    await commands[at]?.ended
  }
  const start = async (at: number) => {
    const command = startCommand(['serve', '--port', '0'], {
      ...environment,
      HEDDLE_DATA_DIR: join(folder, `server-${at}`),
      HEDDLE_API_KEY: apiKey,
      HEDDLE_ALLOWED_HOSTS: '127.0.0.1',
    })
    commands[at] = command
    await command.said('is ready at')
    addresses[at] = /http:\/\/127\.0\.0\.1:\d+/.exec(command.out())?.[0] ?? ''
  }
  const close = async () => {
    await Promise.all(commands.map((_, at) => kill(at)))
    await proxy.close()
  }
  try {
    // The first prepares the stores.
    await start(0)
    await Promise.all(Array.from({ length: count - 1 }, (_, at) => start(at + 1)))
    return { proxy, addresses, kill, start, close }
  } catch (error) {
    await close()
    throw error
  }
}
