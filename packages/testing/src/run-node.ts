import { spawn } from 'node:child_process'

export interface NodeRun {
  /** Of node itself, the script and its own. */
  args: readonly string[]
  /** Working folder, home and folder for temporary files. */
  folder: string
  /** All that it finds in its environment beside these. */
  env: Readonly<Record<string, string>>
  /** Killed afterwards. */
  timeLimitMs: number
  /** Sent once the program prints `ready`. */
  signal?: NodeJS.Signals | undefined
}

export interface NodeEnd {
  /** The last million characters. */
  stdout: string
  stderr: string
  /** Exit code, or the signal that ended it. */
  end: number | NodeJS.Signals | null
}

const maxOutputCharacters = 1_000_000

/** Runs Node to its end, in a process that inherits nothing of this one's environment. */
export function runNode({ args, folder, env, timeLimitMs, signal }: NodeRun): Promise<NodeEnd> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { HOME: folder, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] = (printed[stream] + text).slice(-maxOutputCharacters)
      if (signal !== undefined && text.includes('ready')) child.kill(signal)
    })
  }
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('close', (code, endedBy) => done({ ...printed, end: endedBy ?? code }))
  })
}
