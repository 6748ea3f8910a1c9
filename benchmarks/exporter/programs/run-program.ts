import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { EncodePlan, EncodeResult, ProgramPlan, ProgramResults } from './program-plan.ts'

export interface Programs {
  /** Where `buildPrograms` put them. */
  folder: string
  nodeArguments: readonly string[]
}

type Kind = ProgramPlan['work']['kind']
type WorkOf<K extends Kind> = Extract<ProgramPlan['work'], { kind: K }>

const timeLimitMs = 180_000

/** Runs a measured program to its end. @throws Error when it fails or has no result. */
export async function runProgram<K extends keyof ProgramResults>(
  programs: Programs,
  plan: Omit<ProgramPlan, 'work'> & { work: WorkOf<K> },
): Promise<ProgramResults[K]> {
  return parseLast(await run(programs, 'program-child.mjs', plan))
}

/** Runs a program that does nothing but end, in its way. */
export async function runToEnd(programs: Programs, plan: Omit<ProgramPlan, 'work'> & { work: WorkOf<'end'> }): Promise<void> {
  await run(programs, 'program-child.mjs', plan)
}

export async function runEncoders(programs: Programs, plan: EncodePlan): Promise<Record<string, EncodeResult>> {
  return parseLast(await run(programs, 'encode-child.mjs', plan))
}

function parseLast<T>(output: string): T {
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as T
}

/** A program that says it is ready is sent SIGTERM. */
function run({ folder, nodeArguments }: Programs, name: string, plan: object): Promise<string> {
  const child = spawn(process.execPath, [...nodeArguments, join(folder, name), JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text
      if (text.includes('ready')) child.kill('SIGTERM')
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0 || signal === 'SIGTERM') resolve(printed.stdout)
      else reject(new Error(`${name} ended with ${signal ?? code}: ${printed.stderr.slice(-2000)}`))
    })
  })
}
