import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { engineEntry } from '../../testing/index.ts'
import type { EngineConfig } from './engine-config.ts'
import { startEngine, type Engine } from './engine.ts'

/** Far less than the statements of these tests would take. */
const patience = { timeout: 25_000 }

let folder: string
let engine: Engine
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-engine-test-'))
  engine = await startEngine({ entry: engineEntry, dataDir: join(folder, 'main'), memoryLimitBytes: 1e9, maxWaiting: 8 })
})
afterAll(async () => {
  await engine.stop()
  rmSync(folder, { recursive: true })
})

/** As a supervisor passes it to an engine. */
const configOf = (dataDir: string): EngineConfig => ({
  dataDir,
  socketPath: join(dataDir, 'engine.sock'),
  journalDir: join(dataDir, 'journal'),
  backupDir: join(dataDir, 'backups'),
  memoryLimitBytes: 5e8,
  statementSessions: 1,
  maxWaiting: 1,
  maxInsertBytes: 1e6,
  knownColumns: {},
})

/** Inode of each file that is the supervisor's or the engine's own; the tables change by themselves. */
function inventory(dataDir: string): [string, number][] {
  const names = readdirSync(dataDir).filter((name) => name !== 'store')
  return names.toSorted().map((name) => [name, statSync(join(dataDir, name)).ino])
}

interface Answer {
  status: number
  code: string | undefined
  body: string
}

/** A request as any program could send it to the socket. */
function post(path: string, body = '', socketPath = engine.socketPath, signal?: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, method: 'POST', signal }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          code: response.headers['x-clickhouse-exception-code']?.toString(),
          body: Buffer.concat(parts).toString(),
        }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function newSignal<T>() {
  let fire: (value: T) => void = () => {}
  const fired = new Promise<T>((resolve) => {
    fire = resolve
  })
  return { fire, fired }
}

const runSql = (text: string, fields: Record<string, string> = {}) => post(`/?${new URLSearchParams(fields).toString()}`, text)

test('the socket and the data folder are accessible to their owner alone', () => {
  expect(statSync(engine.socketPath).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'main')).mode & 0o777).toBe(0o700)
})

test('it answers pings and statements', async () => {
  expect(await post('/ping')).toMatchObject({ status: 200, body: 'Ok.\n' })
  expect(await runSql('SELECT 1 AS one FORMAT JSONEachRow')).toMatchObject({ status: 200, body: '{"one":1}\n' })
  expect(engine.version).toMatch(/^\d+\.\d+/)
})

test('every statement that reaches outside the engine is refused before it runs', async () => {
  const refused = [
    "SELECT * FROM file('/etc/hostname', 'LineAsString')",
    "SELECT * FROM (SELECT * FROM file('/etc/hostname', 'LineAsString') SETTINGS readonly=0)",
    "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    `SELECT 1 INTO OUTFILE '${join(folder, 'out')}'`,
    'SELECT 1 SETTINGS readonly=0',
    "SET param_p0='x'; SELECT 1",
    "CREATE TABLE t (a String) ENGINE = File(CSV, '/etc/hostname')",
    "SELECT * FROM executable('id', 'LineAsString', 'a String')",
  ]
  for (const text of refused) expect(await runSql(text), text).toMatchObject({ status: 403, code: '497' })
})

test('a table function of a newer engine is refused as well, since the list comes from the engine', async () => {
  const { body } = await runSql('SELECT name FROM system.table_functions')
  const harmless = new Set(['numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'null', 'generateSeries', 'generate_series'])
  const names = body
    .trim()
    .split('\n')
    .filter((name) => !harmless.has(name))
  expect(names.length).toBeGreaterThan(50)
  for (const name of names) expect(await runSql(`SELECT * FROM ${name}('a')`), name).toMatchObject({ status: 403 })
})

test('settings are passed beside a statement, and only allowed ones', async () => {
  expect(await runSql("SELECT getSetting('max_result_rows')", { max_result_rows: '7' })).toMatchObject({ body: '7\n' })
  expect(await runSql('SELECT 1', { allow_ddl: '1' })).toMatchObject({ status: 400, code: '115' })
  expect(await runSql('SELECT 1', { max_threads: '1, readonly=0' })).toMatchObject({ status: 500 })
})

test('a parameter without a value is refused rather than taken from an earlier statement', async () => {
  expect(await runSql('SELECT {p0:String}', { param_p0: 'old' })).toMatchObject({ body: 'old\n' })
  for (let index = 0; index < 6; index++) expect(await runSql('SELECT {p0:String}')).toMatchObject({ status: 400, code: '456' })
  expect(await runSql('SELECT 1', { 'param_p0=1; --': 'x' })).toMatchObject({ status: 400 })
})

test('statements beyond the queue limit are refused', async () => {
  const slow = Array.from({ length: 20 }, () => runSql('SELECT sleep(0.3)'))
  const answers = await Promise.all(slow)
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 503]))
  expect(answers.filter((answer) => answer.status === 503).map((answer) => answer.code)).toContain('202')
})

/** A statement of minutes, which the list of running ones shows by the name of its result. */
const endless = (name: string) => `SELECT sum(sipHash64(number)) AS ${name} FROM numbers(1000000000000)`
const runningOf = async (name: string) => {
  const { body } = await runSql(
    `SELECT count() FROM system.processes WHERE position(query, concat('${name.slice(0, 4)}', '${name.slice(4)}')) > 0`,
  )
  return Number(body)
}

test('a statement whose caller leaves is cancelled in the engine, and a concurrent one is not affected', async () => {
  const gone = new AbortController()
  const left = post(`/?query_id=${randomUUID()}`, endless('leaving'), engine.socketPath, gone.signal)
  const stays = new AbortController()
  const beside = post('/', endless('staying'), engine.socketPath, stays.signal)
  await expect.poll(() => runningOf('leaving'), patience).toBe(1)
  await expect.poll(() => runningOf('staying'), patience).toBe(1)
  gone.abort()
  await expect(left).rejects.toThrow('abort')
  await expect.poll(() => runningOf('leaving'), patience).toBe(0)
  expect(await runningOf('staying')).toBe(1)
  stays.abort()
  await expect(beside).rejects.toThrow('abort')
  await expect.poll(() => runningOf('staying'), patience).toBe(0)
})

test('cancelling a statement resolves once it has ended', async () => {
  const id = randomUUID()
  const cancelled = post(`/?query_id=${id}`, endless('cancelling'))
  await expect.poll(() => runningOf('cancelling'), patience).toBe(1)
  expect(await runSql(`KILL QUERY WHERE query_id = '${id}' SYNC`)).toMatchObject({ status: 200 })
  expect(await runningOf('cancelling')).toBe(0)
  expect(await cancelled).toMatchObject({ status: 500, code: '394' })
  expect(await runSql(`KILL QUERY WHERE query_id = '${id}' SYNC`)).toMatchObject({ status: 200 })
  expect(await runSql("KILL QUERY WHERE user = 'default' SYNC")).toMatchObject({ status: 403 })
})

/** Statements that fail when a part of their result is there already. */
const failingMidway: readonly [string, string, Record<string, string>][] = [
  ['an error of a row', 'SELECT number, throwIf(number = 60000) FROM numbers(100000)', {}],
  ['the time limit', 'SELECT number, sleepEachRow(if(number < 60000, 0, 0.01)) FROM numbers(100000)', { max_execution_time: '1' }],
  [
    'the memory limit',
    "SELECT number, length(repeat('x', if(number < 60000, 1, 1000000))) FROM numbers(100000)",
    { max_memory_usage: '100000000' },
  ],
  ['the limit of the result', 'SELECT number FROM numbers(100000)', { max_result_rows: '60000' }],
]

describe.each([
  ['at once', { wait_end_of_query: '1' }],
  ['in blocks', { wait_end_of_query: '0' }],
])('a statement whose result is read %s', (_, reading) => {
  test.each(failingMidway)(
    'leaves nothing of its result to the next statement when it ends in %s',
    async (_reason, statement, settings) => {
      const { body } = await runSql(`${statement} FORMAT JSONEachRow`, { ...settings, ...reading, max_block_size: '10000' })
      expect(body).toContain('DB::Exception')
      // More than there are sessions, so that each of them answers.
      const next = await Promise.all(
        Array.from({ length: 8 }, (_unused, index) => runSql(`SELECT ${index} AS own FORMAT JSONEachRow`, reading)),
      )
      expect(next.map((answer) => answer.body.slice(0, 100))).toEqual(next.map((_unused, index) => `{"own":${index}}\n`))
    },
  )
})

test('an insert that fails leaves nothing to the next one', async () => {
  expect(await runSql('CREATE TABLE strict (n UInt64) ENGINE = MergeTree ORDER BY n')).toMatchObject({ status: 200 })
  const insert = new URLSearchParams({ query: 'INSERT INTO strict (n) FORMAT RowBinary' }).toString()
  expect(await post(`/?${insert}`, 'four')).toMatchObject({ status: 500 })
  expect(await post(`/?${insert}`, '\0'.repeat(8))).toMatchObject({ status: 200 })
  expect(await runSql('INSERT INTO strict SELECT throwIf(number = 3) FROM numbers(5)')).toMatchObject({ status: 500 })
  expect(await runSql('INSERT INTO strict SELECT number FROM numbers(5)')).toMatchObject({ status: 200, body: '' })
  expect(await runSql('SELECT count() FROM strict')).toMatchObject({ body: '6\n' })
})

test('a mutation does not block queries', async () => {
  expect(await runSql('CREATE TABLE slow (n UInt64) ENGINE = MergeTree ORDER BY n')).toMatchObject({ status: 200 })
  expect(await runSql('INSERT INTO slow SELECT number FROM numbers(1000)')).toMatchObject({ status: 200 })
  const changes = Array.from({ length: 4 }, () => runSql('ALTER TABLE slow DELETE WHERE n = 1 AND sleep(1) = 0', { mutations_sync: '1' }))
  let isChanging = true
  const changed = Promise.all(changes).then(() => (isChanging = false))
  expect(await runSql('SELECT count() FROM slow')).toMatchObject({ body: '1000\n' })
  expect(isChanging).toBe(true)
  await changed
})

test('a data folder with a long path has its socket in a private folder elsewhere', async () => {
  const deep = join(folder, 'd'.repeat(120))
  mkdirSync(deep)
  const own = await startEngine({ entry: engineEntry, dataDir: deep, memoryLimitBytes: 5e8 })
  expect(own.socketPath.startsWith(deep)).toBe(false)
  expect(statSync(join(own.socketPath, '..')).mode & 0o777).toBe(0o700)
  expect(await post('/ping', '', own.socketPath)).toMatchObject({ status: 200 })
  process.kill(own.pid ?? 0, 'SIGKILL')
  await expect.poll(() => own.restarts, patience).toBe(1)
  await own.settled()
  await own.ping(AbortSignal.timeout(10_000))
  await own.stop()
  expect(() => statSync(own.socketPath)).toThrow('ENOENT')
})

test('a second server on the same folder is refused with the owner of the lock, and touches nothing', async () => {
  const before = inventory(join(folder, 'main'))
  const second = startEngine({ entry: engineEntry, dataDir: join(folder, 'main') })
  await expect(second).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(new RegExp(`in use by process ${process.pid} on host .* \\(embedded engine, since .*; stop`)),
  })
  expect(inventory(join(folder, 'main'))).toEqual(before)
  expect(await post('/ping')).toMatchObject({ status: 200 })
})

test('an engine process that finds the tables locked ends before it touches the socket or the folders of the one that has them', async () => {
  const dataDir = join(folder, 'main')
  const before = inventory(dataDir)
  const config: EngineConfig = { ...configOf(dataDir), socketPath: engine.socketPath }
  const intruder = fork(fileURLToPath(engineEntry), [JSON.stringify(config)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const words: string[] = []
  intruder.stderr?.on('data', (chunk: Buffer) => words.push(chunk.toString()))
  const [message] = await once(intruder, 'message')
  await once(intruder, 'close')
  expect([message, words.join('')]).toEqual([expect.objectContaining({ type: 'failed' }), expect.stringContaining('Cannot lock file')])
  expect(inventory(dataDir)).toEqual(before)
  expect(await post('/ping')).toMatchObject({ status: 200 })
})

test('a socket that another program removed is opened again', async () => {
  const dataDir = join(folder, 'healed')
  const reopened = newSignal<void>()
  const own = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 5e8, onSocketReopened: () => reopened.fire() })
  onTestFinished(() => own.stop())
  const { pid } = own
  rmSync(own.socketPath)
  await expect(own.ping(AbortSignal.timeout(10_000))).rejects.toMatchObject({ kind: 'unavailable' })
  await reopened.fired
  await own.ping(AbortSignal.timeout(10_000))
  expect([own.pid, own.restarts, statSync(own.socketPath).mode & 0o777]).toEqual([pid, 0, 0o600])
})

test('an engine whose folder was removed does not come back with empty tables', async () => {
  const dataDir = join(folder, 'removed')
  const own = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 5e8 })
  onTestFinished(() => own.stop())
  renameSync(dataDir, `${dataDir}-elsewhere`)
  await expect.poll(() => own.pid, patience).toBeUndefined()
  await own.settled()
  expect(() => own.assertReady()).toThrow('is restarting')
  expect(existsSync(dataDir)).toBe(false)
})

test('a killed engine restarts on the same socket, and is reported as restarting meanwhile', async () => {
  const dataDir = join(folder, 'killed')
  const down = newSignal<string>()
  const own = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 5e8, onRestart: ({ reason }) => down.fire(reason) })
  onTestFinished(() => own.stop())
  const pid = own.pid ?? 0
  process.kill(pid, 'SIGKILL')
  await down.fired
  expect(() => own.assertReady()).toThrow('is restarting')
  await own.settled()
  own.assertReady()
  expect(own.pid).not.toBe(pid)
  expect(await post('/ping', '', own.socketPath)).toMatchObject({ status: 200 })
  expect({ reason: await down.fired, count: own.restarts }).toEqual({ reason: 'SIGKILL', count: 1 })
})

test('an engine that cannot start reports why', async () => {
  const missing = startEngine({ entry: new URL('./not-there.mjs', import.meta.url), dataDir: join(folder, 'none') })
  await expect(missing).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('not-there.mjs') })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A process that holds an engine on `dataDir` and reports its pid. */
async function startHolder(dataDir: string): Promise<{ holder: ChildProcess; enginePid: number }> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const script = fileURLToPath(new URL('../../testing/engine-holder.ts', import.meta.url))
  const holder = fork(script, [dataDir], { execArgv: ['--import', loader], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [enginePid] = await once(holder, 'message')
  return { holder, enginePid }
}

test('the engine of a killed server exits, and its folder is unlocked at once', async () => {
  const dataDir = join(folder, 'orphan')
  const { holder, enginePid } = await startHolder(dataDir)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const own = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 5e8 })
  onTestFinished(() => own.stop())
  // The kernel releases its locks a moment before its process id.
  await expect.poll(() => isAlive(enginePid), patience).toBe(false)
  expect(await post('/ping', '', own.socketPath)).toMatchObject({ status: 200 })
})

test('an engine whose server exits before it has loaded exits as well, and unlocks the folder', async () => {
  const dataDir = join(folder, 'unwanted')
  const unwanted = fork(fileURLToPath(engineEntry), [JSON.stringify(configOf(dataDir))], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  onTestFinished(() => void unwanted.kill('SIGKILL'))
  unwanted.disconnect()
  await once(unwanted, 'exit')
  const own = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 5e8 })
  onTestFinished(() => own.stop())
  expect(await post('/ping', '', own.socketPath)).toMatchObject({ status: 200 })
})
