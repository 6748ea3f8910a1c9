import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Program {
  /** File in `programs`. */
  name: string
  args?: readonly string[]
  /** All it finds in its environment, beside an empty home folder. */
  env: Record<string, string>
  /** Default 25 seconds. */
  timeLimitMs?: number
}

const usualLimitMs = 25_000
const maxOutputCharacters = 1_000_000

/**
 * Runs a program as a user would: a process of its own, in a folder of its own that is removed afterwards. Returns what it printed.
 * @throws Error with everything it said, when it fails or takes longer than its time limit.
 */
export async function runProgram({ name, args = [], env, timeLimitMs = usualLimitMs }: Program): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'heddle-program-'))
  try {
    return await run({ path: fileURLToPath(new URL(`../programs/${name}`, import.meta.url)), args, home, env, timeLimitMs })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

interface Run {
  path: string
  args: readonly string[]
  home: string
  env: Record<string, string>
  timeLimitMs: number
}

function run({ path, args, home, env, timeLimitMs }: Run): Promise<string> {
  const child = spawn(process.execPath, [path, ...args], {
    cwd: home,
    env: { HOME: home, TMPDIR: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      if (printed[stream].length < maxOutputCharacters) printed[stream] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed.stdout)
      else reject(new Error(`${path} ended with ${signal ?? `code ${code}`}\n${printed.stdout}\n${printed.stderr}`))
    })
  })
}
