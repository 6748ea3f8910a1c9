import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { freePort } from '@heddle/testing/free-port'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLauncher } from './create-launcher.ts'
import { parseLauncherFile } from './launcher-file.ts'
import { endMarked, findMarked } from './marked-processes.ts'

const never = new AbortController().signal

async function aMachine() {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-process-launcher-'))
  const port = await freePort()
  const machine = { folder: join(folder, 'servers'), environment: { PATH: process.env['PATH'] ?? '', PASSED: 'on' } }
  const launcher = (fields: object = {}) =>
    createLauncher({
      settings: parseLauncherFile(JSON.stringify({ kind: 'process', command: 'sleep 1000', port, ...fields })),
      outgoingTo: () => createOutgoing({ allowed: parseAllowedTargets([]) }),
      token: null,
      machine,
    })
  const file = (name: string) => join(machine.folder, name)
  const markOf = async (id: string) => (JSON.parse(await readFile(file(`${id}.json`), 'utf8')) as { mark: string }).mark
  onTestFinished(async () => {
    for (const name of await readdir(machine.folder).catch(() => []))
      if (name.endsWith('.json')) await endMarked(await markOf(name.slice(0, -5)).catch(() => 'none'), never, 0)
    await rm(folder, { recursive: true })
  })
  return { launcher, port, file, markOf, processes: async (id: string) => findMarked(await markOf(id)) }
}

/** Waits for what another process does. */
async function eventually<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isRight(value)) return value
    await pause(20)
  }
}

/** Ignores the request to end. */
const stubborn = `trap '' TERM; echo ready; while :; do sleep 0.1; done`
const isEnded = ({ kind }: { kind: string }) => kind === 'ended'

// Only Linux lists the processes of a server.
describe.runIf(process.platform === 'linux')('a server of this machine', () => {
  test('a start runs the command in a shell, with its variables and those that are passed on alone', async () => {
    const { launcher, port, file } = await aMachine()
    const here = launcher({ command: 'env && sleep 1000', environment: { OWN: 'a b' } })
    expect(await here.start(never)).toBe('started')
    expect(await here.state(never)).toEqual({ kind: 'running', address: `http://127.0.0.1:${port}` })
    expect(await here.servers(never)).toEqual([`heddle-training-1 runs at http://127.0.0.1:${port}`])
    const output = await eventually(
      () => readFile(file('heddle-training-1.log'), 'utf8'),
      (text) => text.includes('OWN='),
    )
    const names = output.split('\n').map((line) => line.split('=')[0])
    expect(output).toContain('OWN=a b\n')
    expect(names.toSorted().filter((name) => !['', 'OLDPWD', 'PWD', 'SHLVL', '_'].includes(name!))).toEqual([
      'HEDDLE_TRAINING_SERVER',
      'OWN',
      'PASSED',
      'PATH',
    ])
  })

  test('what a server keeps is readable by its owner alone', async () => {
    const { launcher, file } = await aMachine()
    await launcher().start(never)
    expect((await stat(file('.'))).mode & 0o777).toBe(0o700)
    for (const name of ['heddle-training-1.json', 'heddle-training-1.log']) expect((await stat(file(name))).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['echo out of memory >&2; exit 3', 'the process ended with exit code 3: out of memory'],
    ['exec false', 'the process ended with exit code 1: it wrote nothing'],
    ['no-such-program', /^the process ended with exit code 127: .*no-such-program/],
    ['yes memory | head -c 20000; exit 1', /^the process ended with exit code 1: ….{480,500}$/s],
  ])('a server that ended says why: %s', async (command, reason) => {
    const { launcher } = await aMachine()
    const here = launcher({ command })
    await here.start(never)
    const state = await eventually(() => here.state(never), isEnded)
    expect(state).toEqual({ kind: 'ended', reason: typeof reason === 'string' ? reason : (expect.stringMatching(reason) as string) })
  })

  test('a server that was killed is told as such', async () => {
    const { launcher, markOf } = await aMachine()
    const here = launcher()
    await here.start(never)
    await endMarked(await markOf('heddle-training-1'), never, 0)
    expect(await eventually(() => here.state(never), isEnded)).toEqual({
      kind: 'ended',
      reason: 'the process was killed: it wrote nothing',
    })
  })

  test('what a server that ended has left running is ended, also in a process group of its own', async () => {
    const { launcher, processes } = await aMachine()
    const here = launcher({ command: 'setsid sleep 1000 & sleep 0.1; exit 2' })
    await here.start(never)
    expect(await eventually(() => here.state(never), isEnded)).toEqual({
      kind: 'ended',
      reason: 'the process ended with exit code 2: it wrote nothing',
    })
    expect(await processes('heddle-training-1')).toEqual([])
  })

  test('a process of Heddle that starts after another one adopts its server', async () => {
    const { launcher, processes } = await aMachine()
    await launcher().start(never)
    const [shell] = await processes('heddle-training-1')
    const after = launcher({ start_seconds: 5 })
    expect(await after.start(never)).toBe('adopted')
    expect(await after.state(never)).toMatchObject({ kind: 'running' })
    expect((await processes('heddle-training-1'))[0]).toBe(shell)
  })

  test('a server with other settings is stopped first, and of those that ended the newest is kept', async () => {
    const { launcher, file } = await aMachine()
    await launcher().start(never)
    const changed = launcher({ environment: { A: '1' } })
    expect(await changed.start(never)).toBe('waiting')
    expect(await changed.start(never)).toBe('started')
    expect(await changed.servers(never)).toEqual([
      'heddle-training-1 has ended: the process was killed: it wrote nothing',
      expect.stringMatching(/^heddle-training-2 runs/),
    ])
    await changed.stop(never)
    await launcher().start(never)
    expect((await readdir(file('.'))).filter((name) => name.endsWith('.json'))).toEqual([
      'heddle-training-2.json',
      'heddle-training-3.json',
    ])
  })

  test('a stop ends every process of the server, and waits for them', async () => {
    const { launcher, processes } = await aMachine()
    const here = launcher({ command: 'sleep 1000 & setsid sleep 1000 & wait' })
    await here.start(never)
    await eventually(
      () => processes('heddle-training-1'),
      (ids) => ids.length >= 3,
    )
    await here.stop(never)
    expect(await processes('heddle-training-1')).toEqual([])
  })

  test('a process that ignores the request to end is killed', async () => {
    const { launcher, file, markOf, processes } = await aMachine()
    await launcher({ command: stubborn }).start(never)
    await eventually(
      () => readFile(file('heddle-training-1.log'), 'utf8'),
      (text) => text === 'ready\n',
    )
    await endMarked(await markOf('heddle-training-1'), never, 200)
    expect(await processes('heddle-training-1')).toEqual([])
  })

  test('an abort ends the wait for processes', async () => {
    const { launcher, file, markOf } = await aMachine()
    await launcher({ command: stubborn }).start(never)
    await eventually(
      () => readFile(file('heddle-training-1.log'), 'utf8'),
      (text) => text === 'ready\n',
    )
    await expect(endMarked(await markOf('heddle-training-1'), AbortSignal.timeout(300), 60_000)).rejects.toThrow()
  })

  test('a port at which another program listens is named, and nothing is started', async () => {
    const { launcher, port, file } = await aMachine()
    const other = createServer()
    await new Promise<void>((resolve) => void other.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    await expect(launcher().start(never)).rejects.toThrow(
      `port ${port} of this machine is in use: end what listens there, or choose another "port"`,
    )
    expect(await readdir(file('.')).catch(() => [])).toEqual([])
  })

  test('two launchers that start at the same time have one server', async () => {
    const { launcher, file } = await aMachine()
    const both = [launcher(), launcher()]
    const outcomes = await Promise.all(both.map((each) => each.start(never)))
    for (const [at, outcome] of outcomes.entries()) if (outcome === 'waiting') outcomes[at] = await both[at]!.start(never)
    expect(outcomes.toSorted()).toEqual(['adopted', 'started'])
    expect((await readdir(file('.'))).filter((name) => name.endsWith('.json'))).toEqual(['heddle-training-1.json'])
  })

  test('a damaged record is named with what to do, since its server may still run', async () => {
    const { launcher, file } = await aMachine()
    await launcher().start(never)
    const text = await readFile(file('heddle-training-1.json'), 'utf8')
    await writeFile(file('heddle-training-1.json'), '{"settings"')
    await expect(launcher().start(never)).rejects.toThrow(/heddle-training-1\.json is damaged: remove it, and end the server that it named/)
    await writeFile(file('heddle-training-1.json'), text)
  })

  test('output beyond 16 MiB loses its beginning while the server continues writing', async () => {
    const { launcher, file } = await aMachine()
    const command = `head -c 17000000 /dev/zero | tr '\\0' 'x'; echo full; while :; do echo next; sleep 0.05; done`
    const here = launcher({ command })
    await here.start(never)
    const sizeOf = async () => (await stat(file('heddle-training-1.log'))).size
    await eventually(sizeOf, (size) => size > 17_000_000)
    await here.shortenOutput()
    expect(await sizeOf()).toBeLessThan(100_000)
    const lines = await eventually(
      async () => (await readFile(file('heddle-training-1.log'), 'utf8')).split('\n'),
      (all) => all.filter((line) => line === 'next').length > 2,
    )
    expect(lines.every((line) => /^(x*full|next|)$/.test(line))).toBe(true)
  })
})
