import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import { pingEngine } from './ping-engine.ts'

const answerLimitMs = 5_000

/**
 * The engine that a server runs on the folder, for read-only programs in other processes; `stop` leaves it running. Undefined if none answers in the
 * folder: there is none, or the path is too long for a socket.
 */
export async function connectEngine(dataDir: string): Promise<Engine | undefined> {
  const socketPath = join(dataDir, 'engine.sock')
  if (!existsSync(socketPath)) return undefined
  const ping = (signal: AbortSignal) => pingEngine(socketPath, signal)
  const answers = await ping(AbortSignal.timeout(answerLimitMs)).then(
    () => true,
    () => false,
  )
  if (!answers) return undefined
  return {
    socketPath,
    version: '',
    journalDir: join(dataDir, 'journal'),
    memoryLimitBytes: 2e9,
    pid: undefined,
    restarts: 0,
    downMs: 0,
    assertReady: () => undefined,
    ping,
    settled: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  }
}
