import { lstat, readdir, readFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packZstd } from '@heddle/service-kit/testing'
import '@heddle/testing'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createTestSpan } from './doctor/test-span.ts'
import { runCommand, runCommandHere, type RunningCommand, startByNpm, startCommand, startInBackground } from './testing/run-command.ts'

// Each test starts a command or two, which a busy machine makes wait.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
let server: RunningCommand
let url: string
let environment: Record<string, string>

const adminKey = async () => (await readFile(join(folder, 'data', 'admin-key'), 'utf8')).trim()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-main-'))
  server = startByNpm(folder, ['serve', '--port', '0'], { HEDDLE_DATA_DIR: join(folder, 'data'), HEDDLE_PROT: '1' })
  await server.said('Any program')
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.out())?.[0] ?? ''
  environment = { HEDDLE_DATA_DIR: join(folder, 'data'), HEDDLE_PORT: new URL(url).port }
})
afterAll(async () => {
  // In the background the server is not a child of this process; the shell prints its process id first.
  const [background] = /^\d+$/m.exec(server.out()) ?? []
  if (background === undefined) server.child.kill('SIGTERM')
  else process.kill(Number(background), 'SIGTERM')
  await server.ended
  await rm(folder, { recursive: true })
})

async function send(name: string, project = 'local/default', milliseconds = 1) {
  const now = Date.now() * 1_000
  const span = createTestSpan({ name, now })
  const body = span.body.replace(`${now - 1_000}000`, `${now - milliseconds * 1_000}000`)
  const headers = { authorization: `Bearer ${await adminKey()}`, project_id: project, 'content-type': 'application/json' }
  const response = await fetch(`${url}/otel/v1/traces`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  return span
}

test('the server says where the key is, keeps it from others, and does not print it where it may end in a log', async () => {
  expect(server.out()).toContain(join(folder, 'data', 'admin-key'))
  expect(server.out() + server.note()).not.toContain(await adminKey())
  expect((await stat(join(folder, 'data', 'admin-key'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700)
})

test.each([[['serve', '--help']], [['print-env']]])(
  '%j exits without an error when its output pipe is closed, as with `| head`',
  async (args) => {
    const command = startCommand(args, environment)
    command.child.stdout?.destroy()
    expect([await command.ended, command.note()]).toEqual([0, ''])
  },
)

test('no file below the data folder is open to others', async () => {
  const open: string[] = []
  for (const path of await readdir(join(folder, 'data'), { recursive: true })) {
    const found = await lstat(join(folder, 'data', path)).catch(() => undefined)
    if (found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0) open.push(path)
  }
  expect(open).toEqual([])
})

test('an unknown variable is a warning', () => {
  expect(server.note()).toContain('warning: unknown setting HEDDLE_PROT is ignored')
})

test('a trace that was sent is listed, and shown as a tree', async () => {
  const { traceId } = await send('First: Chat GPT-4')
  const list = await runCommandHere(['traces', 'list'], environment)
  expect(list.out).toContain('  First: Chat GPT-4  ')
  expect(list.out).toContain(traceId)
  const shown = await runCommandHere(['traces', 'show', traceId], environment)
  expect(shown.out).toMatch(new RegExp(`^trace ${traceId} · .* · 1 call\nFirst: Chat GPT-4 +1 ms\n$`))
})

test('a command that was called wrongly names its own help', async () => {
  const { note } = await runCommandHere(['eval', 'compare'], environment)
  expect(note).toContain("missing required argument 'run-before'")
  expect(note).toContain('(see: heddle eval compare --help)')
})

test('each command of the README runs', async () => {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const commands = [...readme.matchAll(/`node apps\/heddle\/dist\/main\.js ([^`]+)`/g)].map(([, args = '']) => args)
  expect(commands).toContain('demo')
  // All rounds of a demo are a matter of its own test, and so is its first in a run of the usual length.
  const argsOf = (command: string) => (command === 'demo' ? ['demo', '--rounds', '1', '--tasks', '1'] : command.split(' '))
  const run = commands.filter((command) => inject('long') || command !== 'demo')
  for (const command of run) expect([command, (await runCommand(argsOf(command), environment)).code]).toEqual([command, 0])
})

test('following prints a trace that comes later, until it is interrupted', async () => {
  const following = startCommand(['traces', 'list', '--follow', '--json', '--project', 'local/followed'], environment)
  await send('before', 'local/followed')
  await following.said('before')
  await send('after', 'local/followed')
  await following.said('after')
  following.child.kill('SIGINT')
  expect(await following.ended).toBe(0)
  const names = following
    .out()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name)
  expect(names).toEqual(['before', 'after'])
})

test('the doctor finds no problem and reads its span back', async () => {
  const { out } = await runCommandHere(['doctor', '--json'], environment)
  const findings: { name: string; state: string }[] = JSON.parse(out)
  expect(findings.map(({ name }) => name)).toEqual([
    'Node',
    'Data folder',
    'Disk',
    'Memory',
    'Records',
    'Refused rows',
    'Journals',
    'Tables',
    'Traces',
    'Tables',
    'Contents',
    'Clock',
    'Prices',
    'Base models',
    'Engine',
    'Server',
    'Clock',
    'Test span',
  ])
  expect(findings.filter(({ name, state }) => name !== 'Disk' && state !== 'ok')).toEqual([])
})

test('a key is created, used and revoked while the server runs', async () => {
  const { out } = await runCommandHere(['keys', 'create', '--name', 'ci', '--role', 'ingest', '--json'], environment)
  const { id, secret } = JSON.parse(out)
  const graphql = () =>
    fetch(`${url}/graphql`, { method: 'POST', body: '{"query":"{viewer{username}}"}', headers: { authorization: `Bearer ${secret}` } })
  expect((await graphql()).status).toBe(200)
  expect((await runCommandHere(['keys', 'list'], environment)).out).toMatch(new RegExp(`${id}.*ci.*ingest of all projects.*active`))
  expect(await runCommandHere(['keys', 'revoke', id], environment)).toMatchObject({
    code: 0,
    note: expect.stringContaining('running servers reject it from now on'),
  })
  expect((await graphql()).status).toBe(401)
})

test('a sign-in link is printed alone, and signs in once', async () => {
  const { out, note } = await runCommandHere(['sign-in-link'], environment)
  expect(out.trim()).toMatch(new RegExp(`^${url}/sign-in#hl_[\\w-]{43}$`))
  expect(note).toContain('once, in the next ten minutes')
  const redeem = () => fetch(`${url}/session/link/redeem`, { method: 'POST', body: JSON.stringify({ token: out.trim().split('#')[1] }) })
  expect((await redeem()).status).toBe(200)
  expect((await redeem()).status).toBe(401)
})

test('a sign-in link from a server that does not run is refused with the way out', async () => {
  const { code, note } = await runCommandHere(['sign-in-link', '--url', 'http://127.0.0.1:1'], environment)
  expect([code, note]).toEqual([2, expect.stringMatching(/the server at http:\/\/127\.0\.0\.1:1 does not respond.*heddle serve/)])
})

test('what print-env prints reaches this server', async () => {
  const { out } = await runCommandHere(['print-env', '--dotenv', '--project', 'local/default'], environment)
  const variables = Object.fromEntries(
    out
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const headers = Object.fromEntries((variables['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? '').split(',').map((pair) => pair.split('=')))
  const body = createTestSpan({ name: 'sent by environment', now: Date.now() * 1_000 }).body
  const response = await fetch(variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? '', {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/json' },
  })
  expect([response.status, await response.text()]).toEqual([200, '{}'])
})

test('the path that exporters append themselves takes a zstd body that is unpacked in a thread', async () => {
  const { body } = createTestSpan({ name: 'x'.repeat(700_000), now: Date.now() * 1_000 })
  const headers = { authorization: `Bearer ${await adminKey()}`, 'project-id': 'local/zstd', 'content-type': 'application/json' }
  const init = { method: 'POST', headers: { ...headers, 'content-encoding': 'zstd' }, body: packZstd(Buffer.from(body)) }
  const response = await fetch(`${url}/v1/traces`, init)
  expect([response.status, await response.text()]).toEqual([200, '{}'])
})

test('a second server on the same folder is refused with the process that holds it', async () => {
  const { code, note } = await runCommand(['serve', '--port', '0'], environment)
  expect({ code, note }).toEqual({ code: 2, note: expect.stringMatching(/^heddle: .* is in use by process \d+/) })
})

test('a port in use is named in the error', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  const address = holder.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { code, note } = await runCommand(['serve'], { HEDDLE_DATA_DIR: join(folder, 'other'), HEDDLE_PORT: port })
  holder.close()
  expect({ code, note }).toEqual({ code: 2, note: expect.stringContaining(`port ${port} on 127.0.0.1 is already in use`) })
})

test('a wrong value and a missing server are one-line errors', async () => {
  const wrong = await runCommand(['serve', '--port', 'abc'], environment)
  expect(wrong).toEqual({ code: 2, out: '', note: expect.stringMatching(/^heddle: --port must be .*, got "abc"\n$/) })
  const away = await runCommand(['traces', 'list', '--url', 'http://127.0.0.1:9'], environment)
  expect(away).toEqual({ code: 1, out: '', note: expect.stringMatching(/^heddle: .*is the server running\?.*\n$/) })
})

test('the variables of programs that send traces name the server and the project of commands as well', async () => {
  await send('found by variables', 'local/by-variables')
  const variables = { HEDDLE_DATA_DIR: join(folder, 'data'), HEDDLE_BASE_URL: url, HEDDLE_PROJECT: 'local/by-variables' }
  const { out } = await runCommandHere(['traces', 'list', '--json'], variables)
  expect(JSON.parse(out)).toEqual([expect.objectContaining({ name: 'found by variables' })])
})

test('the slowest traces are listed first, and only without --follow', async () => {
  for (const milliseconds of [1, 9, 4]) await send(`took ${milliseconds}`, 'local/slow', milliseconds)
  const { out } = await runCommandHere(['traces', 'list', '--slowest', '--limit', '2', '--json', '--project', 'local/slow'], environment)
  expect(JSON.parse(out)).toEqual([expect.objectContaining({ name: 'took 9' }), expect.objectContaining({ name: 'took 4' })])
  const followed = await runCommandHere(['traces', 'list', '--slowest', '--follow'], environment)
  expect(followed).toEqual({ code: 2, out: '', note: 'heddle: --slowest cannot be combined with --follow\n' })
})

test('a project without traces names some that have them', async () => {
  await send('elsewhere', 'local/a-full-one')
  const { out, note } = await runCommandHere(['traces', 'list', '--project', 'local/empty'], environment)
  expect(out).toBe('')
  expect(note).toMatch(/^Project local\/empty has no traces yet\. These have some: local\/a-full-one.*\. Choose another with --project/)
})

test('the admin key of the data folder is not sent to another machine', async () => {
  const { code, note } = await runCommandHere(['traces', 'list'], { ...environment, HEDDLE_BASE_URL: 'http://heddle.invalid' })
  expect({ code, note }).toEqual({ code: 2, note: expect.stringMatching(/no API key for http:\/\/heddle\.invalid: set HEDDLE_API_KEY;/) })
})

test('a foreign host name is refused, so no web site reaches a local server', async () => {
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) => {
    request(`${url}/health`, { headers: { host: 'evil.example' } }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(400)
})

test('when npm alone is asked to stop, the server finishes and leaves nothing running; what was sent is there after the next start', async () => {
  const { traceId } = await send('kept')
  server.child.kill('SIGTERM')
  await server.ended
  expect(await readdir(join(folder, 'data', 'engine'))).not.toContain('engine.sock')

  server = startInBackground(['serve', '--port', '0'], { HEDDLE_DATA_DIR: join(folder, 'data') })
  await server.said('Any program')
  expect(server.child.exitCode).toBe(0)
  const again = /:(\d+)\n/.exec(server.out())?.[1] ?? ''
  const shown = await runCommand(['traces', 'show', traceId], { ...environment, HEDDLE_PORT: again })
  expect(shown.out).toContain('kept')
})
