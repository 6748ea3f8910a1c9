import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { expect, onTestFinished, test } from 'vitest'
import { createLauncher } from './create-launcher.ts'
import { parseLauncherFile } from './launcher-file.ts'
import { startRayHead } from './testing/ray-head.ts'

const never = new AbortController().signal
const outgoing = createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) })

async function aHead() {
  const head = await startRayHead()
  onTestFinished(() => head.close())
  const launcher = (fields: object = {}, token: string | null = null) => {
    const file = { kind: 'ray', url: `${head.url}/`, command: 'serve --port 8000', ...fields }
    return createLauncher({
      settings: parseLauncherFile(JSON.stringify(file)),
      outgoingTo: () => outgoing,
      token,
      machine: { folder: '', environment: {} },
    })
  }
  return { head, launcher }
}

test('a start submits one job with all that the settings say', async () => {
  const { head, launcher } = await aHead()
  const fields = { port: 9_000, environment: { A: '1' }, cpus: 2, gpus: 0.5, memory_bytes: 1e9, resources: { tpu: 1 } }
  const ray = launcher(fields)
  expect(await ray.start(never)).toBe('started')
  expect(head.submitted).toEqual([
    {
      entrypoint: 'serve --port 8000',
      submission_id: 'heddle-training-1',
      metadata: { heddle_settings: expect.stringMatching(/^[0-9a-f]{32}$/) },
      runtime_env: { env_vars: { A: '1' } },
      entrypoint_num_cpus: 2,
      entrypoint_num_gpus: 0.5,
      entrypoint_memory: 1e9,
      entrypoint_resources: { tpu: 1 },
    },
  ])
  expect(await ray.state(never)).toEqual({ kind: 'pending', detail: expect.stringContaining('waiting for resources') })
  head.run('heddle-training-1', 'http://10.0.0.7:52365')
  expect(await ray.state(never)).toEqual({ kind: 'running', address: 'http://10.0.0.7:9000' })
  expect(await ray.servers(never)).toEqual(['heddle-training-1 runs at http://10.0.0.7:9000'])
})

test('the address of the settings wins, such as that of a proxy', async () => {
  const { head, launcher } = await aHead()
  const ray = launcher({ address: 'https://trainer.example/' })
  await ray.start(never)
  head.run('heddle-training-1')
  expect(await ray.state(never)).toEqual({ kind: 'running', address: 'https://trainer.example' })
})

test('a job that ended says why, with the end of its output', async () => {
  const { head, launcher } = await aHead()
  const ray = launcher()
  await ray.start(never)
  head.end('heddle-training-1', 'FAILED', `Job entrypoint command failed with exit code 3. ${'x'.repeat(20_000)} out of memory`)
  const state = await ray.state(never)
  expect(state).toEqual({ kind: 'ended', reason: expect.stringMatching(/^the job is failed: ….{486,487} out of memory$/) as string })
})

test('a job that somebody deleted is absent', async () => {
  const { head, launcher } = await aHead()
  const ray = launcher()
  expect(await ray.state(never)).toEqual({ kind: 'absent' })
  await ray.start(never)
  head.jobs.clear()
  expect(await ray.state(never)).toEqual({ kind: 'absent' })
})

test('a process that starts after another adopts its server, also one that is only queued', async () => {
  const { head, launcher } = await aHead()
  await launcher().start(never)
  const after = launcher()
  expect(await after.start(never)).toBe('adopted')
  head.run('heddle-training-1')
  expect(await after.state(never)).toMatchObject({ kind: 'running' })
  expect(head.submitted).toHaveLength(1)
})

test('two processes that start at the same time have one server', async () => {
  const { head, launcher } = await aHead()
  const both = [launcher(), launcher()]
  const outcomes = await Promise.all(both.map((each) => each.start(never)))
  for (const [at, outcome] of outcomes.entries()) if (outcome === 'waiting') outcomes[at] = await both[at]!.start(never)
  expect(outcomes.toSorted()).toEqual(['adopted', 'started'])
  expect([...head.jobs.keys()]).toEqual(['heddle-training-1'])
})

test('a start whose response was lost is adopted, not repeated', async () => {
  const { head, launcher } = await aHead()
  const ray = launcher()
  head.fault = (request) => (request === 'POST /api/jobs/' ? 'lost' : undefined)
  await expect(ray.start(never)).rejects.toThrow(`Ray at ${head.url} did not answer POST /api/jobs/: cannot reach 127.0.0.1`)
  head.fault = null
  expect(await ray.start(never)).toBe('adopted')
  expect(head.jobs.size).toBe(1)
})

test('a server with other settings is stopped first, and a queued one, which may never end, is not waited for', async () => {
  const { head, launcher } = await aHead()
  await launcher().start(never)
  head.run('heddle-training-1')
  head.endsAtOnce = false
  const changed = launcher({ gpus: 1 })
  expect(await changed.start(never)).toBe('waiting')
  expect(head.requests).toContain('POST /api/jobs/heddle-training-1/stop')
  head.end('heddle-training-1', 'STOPPED', 'Job was intentionally stopped.')
  expect(await changed.start(never)).toBe('started')
  expect(await launcher({ gpus: 2 }).start(never)).toBe('started')
  expect([...head.jobs.keys()]).toEqual(['heddle-training-1', 'heddle-training-2', 'heddle-training-3'])
})

test('jobs of other names are left alone, and of its own ended ones the newest is kept', async () => {
  const { head, launcher } = await aHead()
  await launcher({ name: 'heddle-training-b' }).start(never)
  await launcher({ name: 'heddle' }).start(never)
  head.run('heddle-1')
  for (const id of ['heddle-training-1', 'heddle-training-2', 'heddle-training-3']) {
    await launcher().start(never)
    head.end(id, 'FAILED', 'exit code 1')
  }
  const ray = launcher()
  expect(await ray.start(never)).toBe('started')
  await ray.stop(never)
  expect([...head.jobs.keys()]).toEqual(['heddle-training-b-1', 'heddle-1', 'heddle-training-3', 'heddle-training-4'])
  expect(head.requests.filter((request) => request.endsWith('/stop'))).toEqual(['POST /api/jobs/heddle-training-4/stop'])
})

test('a stop reaches every server of the name', async () => {
  const { head, launcher } = await aHead()
  await launcher().start(never)
  head.run('heddle-training-1')
  await launcher().stop(never)
  expect(head.jobs.get('heddle-training-1')).toMatchObject({ status: 'STOPPED' })
})

test.each([
  [500, 'answered GET /api/jobs/ with 500: Traceback: a fault'],
  [401, 'answered GET /api/jobs/ with 401; check HEDDLE_TRAINING_LAUNCHER_TOKEN and what it is allowed to do: Traceback: a fault'],
  [0, 'did not answer GET /api/jobs/: cannot reach'],
])('a head that answers %s is named with what it said', async (status, message) => {
  const { head, launcher } = await aHead()
  head.fault = () => status
  await expect(launcher().start(never)).rejects.toThrow(message)
})

test('something else at the address is named', async () => {
  const { head, launcher } = await aHead()
  head.fault = () => 200
  await expect(launcher().start(never)).rejects.toThrow('answered /api/jobs/ with something other than JSON; is this its address?')
})

test('a refused submission says what Ray said', async () => {
  const { head, launcher } = await aHead()
  head.fault = (request) => (request.startsWith('POST') ? 400 : undefined)
  await expect(launcher().start(never)).rejects.toThrow('answered POST /api/jobs/ with 400: Traceback: a fault')
})
