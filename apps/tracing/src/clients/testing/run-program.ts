import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNode } from '@heddle/testing'

export interface Program {
  /** File in `programs`. */
  name: string
  args?: readonly string[]
  /** All it finds in its environment, beside an empty home folder. */
  env: Record<string, string>
  /** Default a minute. */
  timeLimitMs?: number
}

const usualLimitMs = 60_000

/**
 * Runs a program as a user would: a process of its own, in a folder of its own that is removed afterwards. Returns what it printed.
 * @throws Error with everything it said, when it fails or takes longer than its time limit.
 */
export async function runProgram({ name, args = [], env, timeLimitMs = usualLimitMs }: Program): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'heddle-program-'))
  const path = fileURLToPath(new URL(`../programs/${name}`, import.meta.url))
  try {
    const { end, stdout, stderr } = await runNode({ args: [path, ...args], folder: home, env, timeLimitMs })
    if (end !== 0) throw new Error(`${path} ended with ${typeof end === 'string' ? end : `code ${end}`}\n${stdout}\n${stderr}`)
    return stdout
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
