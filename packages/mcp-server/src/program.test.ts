import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseCommandLine, toServerOptions } from './command/settings.ts'
import { runProgram } from './command/run-program.ts'
import { type BundledProgram, bundleProgram } from './testing/bundle-program.ts'

const maxBytes = 1_500_000

let program: BundledProgram
let service: Server
let env: Record<string, string>
beforeAll(async () => {
  program = await bundleProgram()
  // Answers slowly nothing: what the program does when its service hangs.
  service = createServer(() => undefined)
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
  env = {
    HEDDLE_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    HEDDLE_API_KEY: 'secret-key',
    HEDDLE_PROJECT: 'e/p',
  }
})
afterAll(() => {
  program?.remove()
  service?.closeAllConnections()
  service?.close()
})

test('the program is one file of less than 1.5 MB', () => {
  expect(program.bytes).toBeLessThan(maxBytes)
})

test('both protocol eras are served over stdio', async () => {
  const command = () => ({ command: process.execPath, args: [program.path], env, stderr: 'inherit' as const })
  const current = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await current.connect(new StdioClientTransport(command()))
  const older = new OlderClient({ name: 'tests', version: '1' })
  await older.connect(new OlderTransport(command()))
  expect(current.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  expect((await current.listTools()).tools).toHaveLength(19)
  expect((await older.listTools()).tools.map(({ name }) => name)).toEqual((await current.listTools()).tools.map(({ name }) => name))
  expect(await older.callTool({ name: 'evals_list', arguments: { limt: 1 } })).toMatchObject({ isError: true })
  await Promise.all([current.close(), older.close()])
})

test.each(['current', 'older'] as const)('a %s client over stdio is notified when a job that it watches changes', async (era) => {
  const jobId = '018f4a3e-0000-7000-8000-00000000bbbb'
  let status = 'running'
  const jobs = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: jobId, status }))
    status = status === 'running' ? 'succeeded' : status
  })
  await new Promise<void>((resolve) => void jobs.listen(0, '127.0.0.1', resolve))
  const { port } = jobs.address() as AddressInfo
  const command = {
    command: process.execPath,
    args: [program.path],
    env: { ...env, HEDDLE_BASE_URL: `http://127.0.0.1:${port}` },
    stderr: 'inherit' as const,
  }
  const uri = `job://${jobId}`
  try {
    const told = await (era === 'current' ? watchAsCurrent(command, uri) : watchAsOlder(command, uri))
    expect(told).toBe(uri)
  } finally {
    jobs.closeAllConnections()
    jobs.close()
  }
})

type Command = ConstructorParameters<typeof StdioClientTransport>[0]

async function watchAsCurrent(command: Command, uri: string): Promise<string> {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StdioClientTransport(command))
  const told = new Promise<string>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
  })
  await client.listen({ resourceSubscriptions: [uri] })
  return told.finally(() => client.close())
}

async function watchAsOlder(command: Command, uri: string): Promise<string> {
  const client = new OlderClient({ name: 'tests', version: '1' })
  await client.connect(new OlderTransport(command as ConstructorParameters<typeof OlderTransport>[0]))
  const told = new Promise<string>((resolve) => {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri))
  })
  await client.subscribeResource({ uri })
  await expect(client.subscribeResource({ uri: 'docs://workflows' })).rejects.toThrow('cannot be watched')
  return told.finally(() => client.close())
}

interface Run {
  child: ChildProcess
  lines: string[]
  errors: () => string
  ended: Promise<number | NodeJS.Signals | null>
  /** Resolves with the first line. */
  firstLine: Promise<string>
}

function start(args: string[] = [], further: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [program.path, ...args], { env: { ...env, ...further }, stdio: 'pipe' })
  const lines: string[] = []
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter(Boolean))
      if (lines[0] !== undefined) resolve(lines[0])
    })
  })
  const ended = new Promise<number | NodeJS.Signals | null>(
    (resolve) => void child.once('close', (code, signal) => resolve(signal ?? code)),
  )
  return { child, lines, errors: () => errors, ended, firstLine }
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}
const hanging = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'evals_list', arguments: { name_contains: 'a secret of the user' } },
}
const send = ({ child }: Run, message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`)

test.each<[string, (run: Run) => void, unknown]>([
  ['the end of its input', ({ child }) => child.stdin?.end(), 0],
  ['SIGTERM', ({ child }) => child.kill('SIGTERM'), 'SIGTERM'],
])('%s ends it also while the service hangs, and standard output has the protocol alone', async (_, end, code) => {
  const run = start(['--log-level', 'debug'])
  send(run, initialize)
  await run.firstLine
  send(run, { jsonrpc: '2.0', method: 'notifications/initialized' })
  send(run, hanging)
  await new Promise<void>((resolve) => void service.once('request', () => resolve()))
  end(run)
  expect(await run.ended).toBe(code)
  for (const line of run.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(run.errors()).not.toMatch(/secret/)
})

test.each<[string[], RegExp]>([
  [['--api-key', 'x'], /--api-key is not taken.*HEDDLE_API_KEY/],
  [['--tool', 'x'], /unknown option --tool; did you mean --tools\?/],
  [['--tools', 'eval_comparison'], /no tool "eval_comparison"; did you mean eval_compare\?/],
  [['--project', 'p'], /--project must be entity\/project/],
  [['--http', '0.0.0.0:0'], /others can reach it, so --allowed-hosts/],
  [['--max-tokens', '9'], /from 500 to 20000/],
  [['--config', '/nowhere.json'], /cannot read --config/],
  [['serv'], /unknown command "serv"/],
])('%j is refused with the way out', async (args, message) => {
  const printed = { out: '', err: '' }
  const code = await runProgram(args, {
    environment: {},
    cwd: '/',
    nodeVersion: 'v20.19.0',
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    untilStopped: () => Promise.resolve(),
  })
  expect([code, printed.out]).toEqual([2, ''])
  expect(printed.err).toMatch(message)
})

test('an empty variable counts as none', () => {
  const empty = { HEDDLE_API_KEY: '', HEDDLE_BASE_URL: '', HEDDLE_PROJECT: '' }
  expect(toServerOptions({}, empty)).toEqual(toServerOptions({}, {}))
})

test.each([
  [['--http'], '127.0.0.1:7402'],
  [['--http', '--read-only'], '127.0.0.1:7402'],
  [['--http', '127.0.0.1:80'], '127.0.0.1:80'],
])('%j serves HTTP at %s', (args, address) => expect(parseCommandLine(args).values.http).toBe(address))

test('over HTTP it says where it is, serves a key that the service takes, and stops when told to', async () => {
  const run = start(['--http', '127.0.0.1:0'])
  const url = await new Promise<string>((resolve) => {
    run.child.stderr?.on('data', () => {
      const found = /ready at (\S+)/.exec(run.errors())?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fetch(url.replace('/mcp', '/other'))).status).toBe(404)
  run.child.kill('SIGTERM')
  expect(await run.ended).toBe(0)
})
