import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NodeEnd, runNode } from '@heddle/testing'

const register = new URL('../../../../../packages/otel-exporter/src/register.ts', import.meta.url).href
/** Peers of the exporter are found from there. */
const packageFolder = fileURLToPath(new URL('../../..', import.meta.url))
const timeLimitMs = 60_000

/**
 * Runs the program of the first steps with the commands next to it, which set variables and load the exporter.
 * @throws Error for commands of another form
 */
export async function runFirstProgram({ program, commands }: { program: string; commands: string }): Promise<NodeEnd> {
  const [variables = '', start = ''] = commands.split('\n')
  if (start !== 'node --import @heddle/otel-exporter/register app.mjs') throw new Error(`the commands start no program: ${commands}`)
  const env = Object.fromEntries([...variables.matchAll(/(HEDDLE_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))
  const folder = mkdtempSync(join(tmpdir(), 'heddle-first-program-'))
  try {
    const path = join(folder, 'app.mjs')
    writeFileSync(path, program.replace("'@opentelemetry/api'", `'${import.meta.resolve('@opentelemetry/api')}'`))
    const args = ['--import', import.meta.resolve('tsx'), '--import', register, path]
    const own = { PATH: process.env['PATH'] ?? '', TMPDIR: folder, ...env }
    return await runNode({ args, folder: packageFolder, env: own, timeLimitMs })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
