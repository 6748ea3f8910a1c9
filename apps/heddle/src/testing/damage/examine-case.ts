import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand, runCommandHere, startCommand } from '../run-command.ts'
import { digestsOf } from './change-files.ts'

/** Kinds of damage, each titled after the damaged data. */
export interface DamageCase {
  damage: (dataDir: string) => unknown
  /** What doctor says of it. */
  doctor: RegExp
  /** Whether `heddle doctor --quick`, which does not read all that is stored, finds it. Default true. */
  isQuick?: boolean
  /** What a start that is refused says; absent where the server starts. */
  refused?: RegExp
  /** What the log of a server that starts says, at the start or once the damage is read. */
  log?: RegExp
}

export interface BuiltServer {
  url: string
  log: () => string
  end: (signal: NodeJS.Signals) => Promise<void>
}

/** Starts a server on the folder, and waits until it is ready. */
export async function serve(environment: Record<string, string>): Promise<BuiltServer> {
  const server = startCommand(['serve'], environment)
  await server.said('is ready at')
  await server.said('\n')
  const url = /ready at (\S+)/.exec(server.out())?.[1] ?? ''
  const end = async (signal: NodeJS.Signals) => {
    server.child.kill(signal)
    await server.ended
  }
  return { url, log: server.note, end }
}

const isStack = /\n\s+at /
const noServer = ['--url', 'http://127.0.0.1:9']

/** Doctor names the damage and the way out, by its exit status too, and changes nothing. */
export async function expectExamined(environment: Record<string, string>, { doctor, isQuick = true }: DamageCase): Promise<void> {
  const dataDir = environment['HEDDLE_DATA_DIR'] ?? ''
  const before = digestsOf(dataDir)
  const quick = await runCommandHere(['doctor', '--quick', ...noServer], environment)
  if (isQuick) expect(quick.out).toMatch(doctor)
  expect(quick.code, quick.out).toBe(isQuick ? 1 : 0)
  const whole = await runCommandHere(['doctor', ...noServer], environment)
  expect(whole.out).toMatch(doctor)
  expect(whole.out).toMatch(/→ .*(backup|repair)/)
  expect(whole.code).toBe(1)
  for (const { out, note } of [quick, whole]) expect(out + note).not.toMatch(isStack)
  expect(digestsOf(dataDir)).toEqual(before)
}

/** A start ends with an error that says what is damaged, and leaves everything as it is; damaged records are copied. */
export async function expectRefused(environment: Record<string, string>, refused: RegExp, copies: boolean): Promise<void> {
  const dataDir = environment['HEDDLE_DATA_DIR'] ?? ''
  const before = digestsOf(dataDir)
  for (const _again of [1, 2]) {
    const start = await runCommand(['serve'], environment)
    expect(start.code).not.toBe(0)
    expect(start.note).toMatch(refused)
    expect(start.note).not.toMatch(isStack)
    expect(digestsOf(dataDir)).toEqual(before)
  }
  if (!copies) return
  const [copy, ...others] = readdirSync(join(dataDir, 'damaged'))
  expect(others).toEqual([])
  const records = Object.fromEntries(Object.entries(before).filter(([name]) => name.startsWith('heddle.db')))
  expect(digestsOf(join(dataDir, 'damaged', copy ?? ''))).toEqual(records)
}

/** The server says how much is damaged, and serves everything else. */
export async function expectReadyWithDamage({ url }: Pick<BuiltServer, 'url'>): Promise<void> {
  const read = async () => {
    const ready = await fetch(`${url}/readyz`)
    const { parts } = (await ready.json()) as { parts: { damage?: string } }
    return [ready.status, parts.damage]
  }
  await expect.poll(read).toEqual([200, expect.stringMatching(/damaged; run heddle doctor/)])
}

/** The status of a read: 200, or that of an error, which says what is damaged and the way out. */
export async function statusOf(work: Promise<unknown>): Promise<number | undefined> {
  try {
    await work
    return 200
  } catch (error) {
    const { status, message } = error as { status?: number; message: string }
    expect(message).toMatch(/damaged.*heddle doctor/s)
    return status
  }
}
