import { spawn } from 'node:child_process'
import { childOf, readUsage } from '../server/process-usage.ts'

/** What a command of Heddle took, with the engine that it starts. */
export interface CommandCost {
  seconds: number
  /** Of both processes, up to the last look at them. */
  cpuSeconds: number
  exitCode: number | null
  /** The end of its output. */
  output: string
}

const everyMs = 100
const outputLength = 2_000

/** Runs a command to its end, however it ends. */
export function measureCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandCost> {
  const startMs = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const seen = new Map<number, number>()
  const look = () => {
    for (const pid of [child.pid, child.pid !== undefined && usable(() => childOf(child.pid ?? 0))]) {
      if (typeof pid !== 'number') continue
      const usage = usable(() => readUsage(pid))
      if (usage !== undefined) seen.set(pid, usage.cpuSeconds)
    }
  }
  const timer = setInterval(look, everyMs)
  let output = ''
  const note = (part: Buffer) => (output = (output + part.toString('utf8')).slice(-outputLength))
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => {
      clearInterval(timer)
      const cpuSeconds = [...seen.values()].reduce((sum, seconds) => sum + seconds, 0)
      resolve({ seconds: (performance.now() - startMs) / 1000, cpuSeconds, exitCode, output })
    })
  })
}

/** Undefined where the process is gone. */
function usable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
