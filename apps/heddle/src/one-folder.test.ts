import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Container, mayMakeContainers, otherContainer, otherHost } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createTestSpan } from './doctor/test-span.ts'
import { type RunningCommand, startCommand, startInContainer } from './testing/run-command.ts'

// Each test starts servers, which a busy machine makes wait.
vi.setConfig({ testTimeout: 180_000 })

const apiKey = 'a-key-of-the-tests-of-one-folder'
const containers = mayMakeContainers() ? [otherHost, otherContainer] : []
/** The host name of one container differs as well, so that it represents both in a run of the usual length. */
const asked = containers.filter((container) => inject('long') || container === otherContainer)

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-one-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}

/** Starts a command on a data folder, in a container or beside the tests. It has no port of a server that runs. */
function start(args: readonly string[], dataDir: string, container?: Container): RunningCommand {
  const environment = { HEDDLE_DATA_DIR: dataDir, HEDDLE_API_KEY: apiKey, HEDDLE_PORT: args[0] === 'serve' ? '0' : '9' }
  return container ? startInContainer(container, args, environment) : startCommand(args, environment)
}

async function endOf(command: RunningCommand) {
  return { code: await command.ended, note: command.note() }
}

const urlOf = (command: RunningCommand) => /http:\/\/127\.0\.0\.1:\d+/.exec(command.out())?.[0] ?? ''

async function serve(dataDir: string, container?: Container): Promise<RunningCommand> {
  const command = start(['serve'], dataDir, container)
  await command.said('Any program')
  onTestFinished(() => stop(command))
  return command
}

async function stop(command: RunningCommand, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  command.child.kill(signal)
  await command.ended
}

const authorization = `Bearer ${apiKey}`

/** Writes a trace and reads it back. */
async function writeAndRead(url: string): Promise<void> {
  const span = createTestSpan({ name: 'still here', now: Date.now() * 1_000 })
  const headers = { authorization, project_id: 'local/one', 'content-type': 'application/json' }
  const written = await fetch(`${url}/otel/v1/traces`, { method: 'POST', headers, body: span.body })
  expect(written.status).toBe(200)
  const body = JSON.stringify({ project_id: 'local/one', filter: { trace_ids: [span.traceId] } })
  const read = await fetch(`${url}/calls/stream_query`, { method: 'POST', headers, body })
  expect([read.status, await read.text()]).toEqual([200, expect.stringContaining('still here')])
}

const inUse = (purpose: string) =>
  new RegExp(`data folder .* is in use by process \\d+ on host \\S+ \\(${purpose}, since .*\\); stop that process`)

describe.skipIf(containers.length === 0)('while a server runs', () => {
  let dataDir: string
  let server: RunningCommand
  let url: string
  beforeAll(async () => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'heddle-one-')), 'data')
    server = start(['serve'], dataDir)
    await server.said('Any program')
    url = urlOf(server)
  })
  afterAll(async () => {
    await stop(server, 'SIGTERM')
    rmSync(join(dataDir, '..'), { recursive: true, maxRetries: 20 })
  })

  /** What another process would break: the socket, the folders of the engine and the note of the holder. */
  const traces = () =>
    ['engine/engine.sock', 'engine/engine.folders', 'folder.lock', 'folder.lock.json', 'engine/folder.lock.json'].map((name) => {
      const path = join(dataDir, name)
      return [name, statSync(path).ino, name.endsWith('.sock') ? '' : readFileSync(path, 'utf8')]
    })

  const commands: [string, string[]][] = [
    ['serve', ['serve']],
    ['backup', ['backup', `${tmpdir()}/heddle-never-written`]],
    ['doctor --repair', ['doctor', '--repair']],
  ]

  describe.each(asked)('a process in a container with $name', (container) => {
    test.each(commands)('is refused as %s, and changes nothing', async (_, args) => {
      const before = traces()
      const { code, note } = await endOf(start(args, dataDir, container))
      expect([code, note]).toEqual([2, expect.stringMatching(inUse('heddle serve'))])
      expect(traces()).toEqual(before)
      await writeAndRead(url)
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
    })

    test('may run the doctor, which leaves the server as it is', async () => {
      const before = traces()
      await start(['doctor', '--json'], dataDir, container).ended
      expect(traces()).toEqual(before)
      await writeAndRead(url)
    })
  })

  test('a socket that is removed is opened again, and the log reports it', async () => {
    rmSync(join(dataDir, 'engine', 'engine.sock'))
    await expect.poll(() => server.note()).toContain('removed the socket of the embedded engine; it is open again')
    await writeAndRead(url)
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
  })
})

describe.skipIf(containers.length === 0).each(asked)('a server in a container with $name', (container) => {
  test('has the folder for itself until it is killed, and another one then starts at once', async () => {
    const dataDir = newFolder()
    const first = await serve(dataDir, container)
    const { code, note } = await endOf(start(['serve'], dataDir))
    expect([code, note]).toEqual([2, expect.stringMatching(inUse('heddle serve'))])
    expect(note).toContain('on host other')
    await writeAndRead(urlOf(first))
    await stop(first)
    // In its own container, the server exits shortly after the process that created the container.
    const second = await startOnceFree(dataDir)
    await writeAndRead(urlOf(second))
  })

  test.each(inject('long') ? ['one outside that start at once'] : [])('and %s: one of them has the folder, and works', async () => {
    const dataDir = newFolder()
    const both = [start(['serve'], dataDir, container), start(['serve'], dataDir)]
    const outcomes = await Promise.all(
      both.map((command) =>
        command.said('Any program').then(
          () => ({ command, isReady: true }),
          () => ({ command, isReady: false }),
        ),
      ),
    )
    const [winner, ...others] = outcomes.filter(({ isReady }) => isReady)
    const loser = outcomes.find(({ isReady }) => !isReady)
    expect(others).toEqual([])
    expect([await loser?.command.ended, loser?.command.note()]).toEqual([2, expect.stringMatching(/data folder .* is in use by/)])
    if (winner) onTestFinished(() => stop(winner.command))
    await writeAndRead(urlOf(winner?.command ?? both[0]!))
  })
})

/** A server of which only the end of another one in its container is waited for. */
async function startOnceFree(dataDir: string): Promise<RunningCommand> {
  for (;;) {
    const command = start(['serve'], dataDir)
    const isReady = await command.said('Any program').then(
      () => true,
      () => false,
    )
    if (isReady) {
      onTestFinished(() => stop(command))
      return command
    }
    expect(command.note()).toMatch(inUse('heddle serve'))
  }
}

test('a killed server is followed at once by another one', async () => {
  const dataDir = newFolder()
  const first = await serve(dataDir)
  await writeAndRead(urlOf(first))
  first.child.kill('SIGKILL')
  await first.ended
  const second = await serve(dataDir)
  await writeAndRead(urlOf(second))
})

test('a server whose data folder is moved away ends, and leaves nothing in its place', async () => {
  const dataDir = join(newFolder(), 'data')
  const server = await serve(dataDir)
  renameSync(dataDir, `${dataDir}-moved`)
  expect(await server.ended).toBe(1)
  expect(server.note()).toContain('the data folder was removed, moved or replaced')
  expect(existsSync(dataDir)).toBe(false)
})
