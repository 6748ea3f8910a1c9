import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram, type BundledProgram } from './testing/bundle-program.ts'
import { aTraining, fakeTraining, jobId } from './testing/fake-training.ts'
import { serveLocally } from './testing/serve-locally.ts'

const installed = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/package.json'))

/** The command line where it expects to lie: in a folder of the inspector, which as a whole brings a browser's worth of packages. */
function layOutInspector(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-inspector-'))
  cpSync(join(installed, 'build'), join(folder, 'cli/build'), { recursive: true })
  cpSync(join(installed, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(installed, '../..'), join(folder, 'node_modules'))
  return folder
}

let inspector: string

let program: BundledProgram
let server: Awaited<ReturnType<typeof serveLocally>>
beforeAll(async () => {
  inspector = layOutInspector()
  program = await bundleProgram()
  server = await serveLocally({ baseUrl: 'http://services.test', project: 'e/p', fetch: fakeTraining(aTraining()) })
})
afterAll(async () => {
  program?.remove()
  rmSync(inspector, { recursive: true, force: true })
  await server?.close()
})

async function inspect(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(inspector, 'cli/build/cli.js'), '--cli', ...args], {
    timeout: 60_000,
  })
  return JSON.parse(stdout) as Record<string, unknown>
}

test('the command line of the inspector lists tools, prompts and forms of URIs over stdio', { timeout: 120_000 }, async () => {
  const run = [process.execPath, program.path]
  const { tools } = (await inspect(...run, '--method', 'tools/list')) as { tools: unknown[] }
  expect(tools).toHaveLength(19)
  expect(await inspect(...run, '--method', 'prompts/list')).toMatchObject({ prompts: { length: 6 } })
  expect(await inspect(...run, '--method', 'resources/templates/list')).toMatchObject({ resourceTemplates: { length: 8 } })
})

test('it calls a tool over HTTP with arguments', { timeout: 120_000 }, async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'training_job_get', '--tool-arg', `job_id=${jobId}`]
  expect(await inspect(server.url, '--transport', 'http', ...call)).toMatchObject({ structuredContent: { data: { job: { id: jobId } } } })
})
