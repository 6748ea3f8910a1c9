import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { runNode } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { otelEnvironment, pythonClientEnvironment } from '../settings/emitter-environment.ts'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const pagesFolder = join(repository, 'docs/clients')
const installLimitMs = 300_000
const programLimitMs = 60_000
/** The scripted reply to the question of every page, and its tokens. */
const reply = { text: 'One, two, three.', input: 53, output: 11 }

interface ClientProgram {
  /** `openai 1`: the page and the position of the program on it. */
  title: string
  /** With versions. */
  packages: string[]
  /** The lines before the program that set variables, after the installation. */
  shell: string
  code: string
}

const textOf = (name: string) => readFileSync(join(pagesFolder, name), 'utf8')
const pages = readdirSync(pagesFolder).filter((name) => name.endsWith('.md'))

const programs = pages.flatMap((name) =>
  [...textOf(name).matchAll(/^```sh\nnpm install (.*)\n([^`]*)```\n\n```js\n([\s\S]*?)^```/gm)].map(
    ([, packages = '', shell = '', code = ''], at): ClientProgram => ({
      title: `${name.replace('.md', '')} ${at + 1}`,
      packages: packages.trim().split(/\s+/),
      shell,
      code,
    }),
  ),
)

/** Programs whose packages, apart from those of OpenTelemetry, are installed for tests in these versions. */
const tracingFolder = join(repository, 'apps/tracing')
const { devDependencies, dependencies } = JSON.parse(readFileSync(join(tracingFolder, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>
const here = { ...devDependencies, ...dependencies }
const isInstalled = ({ packages }: ClientProgram) =>
  packages.every((one) => {
    const [, name = '', version] = /^(.+)@([^@]+)$/.exec(one) ?? []
    return name.startsWith('@opentelemetry/') || here[name] === version
  })

let server: TestServer
let standIn: ChildProcess
let providerUrl: string
beforeAll(async () => {
  server = await shareBuiltTestServer()
  const program = join(repository, '.scripts/record-instrumentations/stand-in/serve.ts')
  standIn = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(standIn.stdout!), 'line')) as [string]
  providerUrl = line
})
afterAll(async () => {
  standIn.kill()
  await server.close()
})

/** Variables that the lines of the page set. */
function environmentOf({ shell }: ClientProgram, project: string): Record<string, string> {
  const { url: baseUrl, apiKey } = server
  if (!shell.includes('print-env --python')) return otelEnvironment({ baseUrl, apiKey, project })
  return {
    ...pythonClientEnvironment({ baseUrl, apiKey, project }),
    ...(shell.includes('WF_TRACE_SERVER_URL') && { WF_TRACE_SERVER_URL: baseUrl }),
  }
}

/** A folder in which the packages of a program are found. */
async function folderFor(program: ClientProgram): Promise<string> {
  if (isInstalled(program)) {
    mkdirSync(join(tracingFolder, 'node_modules', '.programs'), { recursive: true })
    return mkdtempSync(join(tracingFolder, 'node_modules', '.programs', 'client-'))
  }
  const folder = mkdtempSync(join(tmpdir(), 'heddle-client-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...program.packages]
  await promisify(execFile)('npm', install, { cwd: folder, timeout: installLimitMs })
  return folder
}

describe.each(programs.filter((program) => inject('long') || isInstalled(program)))('the program $title', (program) => {
  test('is recorded with its messages and tokens', { timeout: installLimitMs + 2 * programLimitMs }, async () => {
    const project = server.newProject()
    const folder = await folderFor(program)
    try {
      const path = join(folder, 'program.mjs')
      writeFileSync(path, program.code.replaceAll('me/first', project))
      const env = {
        ...environmentOf(program, project),
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: `${providerUrl}/v1`,
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: providerUrl,
      }
      const { stdout, stderr, end } = await runNode({ args: [path], folder, env, timeLimitMs: programLimitMs })
      expect({ end, stderr: end === 0 ? '' : stderr }).toEqual({ end: 0, stderr: '' })
      expect(stdout).toContain(reply.text)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
    const calls: { summary?: unknown; output?: unknown }[] = []
    for await (const call of client.calls.streamQuery({ project_id: project })) calls.push(call)
    const counts = calls.flatMap(({ summary }) => Object.values((summary as { usage?: Record<string, Usage> }).usage ?? {}))
    expect(counts.map(tokensOf)).toContainEqual([reply.input, reply.output])
    expect(calls.filter(({ output }) => JSON.stringify(output ?? null).includes(reply.text))).not.toEqual([])
  })
})

interface Usage {
  input_tokens?: number
  prompt_tokens?: number
  output_tokens?: number
  completion_tokens?: number
}
const tokensOf = (usage: Usage) => [usage.input_tokens ?? usage.prompt_tokens, usage.output_tokens ?? usage.completion_tokens]

test('each program of a page has the line that installs its packages before it', () => {
  const written = pages.flatMap((name) => [...textOf(name).matchAll(/^```js\n/gm)])
  expect(programs).toHaveLength(written.length)
})

test('programs of some pages run in every test run', () => {
  expect(programs.filter(isInstalled).map(({ title }) => title)).toEqual(['ai-sdk 1', 'openai 1', 'weave 1'])
})

describe.each(pages)('the page %s', (name) => {
  const text = textOf(name)

  test('names only addresses that the server has', () => {
    const { exportTrace, exportLogs } = tracing.otel
    const paths = ['/otel', ...[exportTrace, exportLogs].map(({ path }) => path)]
    const named = [...text.matchAll(/http:\/\/127\.0\.0\.1:7400([\w/]*)/g)].map(([, path]) => path)
    expect(named.filter((path) => !paths.includes(path ?? ''))).toEqual([])
    // The base address of exporters that append the path of the signal.
    expect(paths).toContain('/otel/v1/traces')
  })

  test('names the headers and variables that print-env prints, and each key goes with a project', () => {
    const headers = otelEnvironment({ baseUrl: '', apiKey: 'k', project: 'me/first' })['OTEL_EXPORTER_OTLP_TRACES_HEADERS']
    expect(headers).toBe('wandb-api-key=k,project-id=me/first')
    const keys = [...text.matchAll(/wandb-api-key/g)]
    expect([...text.matchAll(/project-id/g)]).toHaveLength(keys.length)
    const programs = text.includes('```python') || text.includes('```js')
    if (programs) expect(text).toMatch(/eval "\$\(heddle print-env (?:--project me\/first|--python)\)"/)
  })

  test('says whether its lines run in a test', () => {
    const [, tested] = /^---\n(?:tried: .+\n)?tested: (run|names)\n---\n/.exec(text) ?? []
    expect(tested).toBe(/```(?:python|js)\n/.test(text) ? 'run' : 'names')
  })
})
