import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { codeIn } from '@heddle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createLauncher } from './create-launcher.ts'
import { parseLauncherFile } from './launcher-file.ts'
import { startKubernetesApi } from './testing/kubernetes-api.ts'

const never = new AbortController().signal
const outgoing = createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) })

async function aCluster() {
  const api = await startKubernetesApi()
  const folder = mkdtempSync(join(tmpdir(), 'heddle-kubernetes-'))
  const tokenFile = join(folder, 'token')
  onTestFinished(async () => {
    await api.close()
    rmSync(folder, { recursive: true })
  })
  const launcher = (fields: object = {}, token: string | null = null) => {
    const own = { token_file: tokenFile, ca_file: join(folder, 'none.crt') }
    const file = {
      kind: 'kubernetes',
      url: api.url,
      namespace: 'trainers',
      image: 'trainer:1',
      command: 'serve --port 8000',
      ...own,
      ...fields,
    }
    return createLauncher({
      settings: parseLauncherFile(JSON.stringify(file)),
      outgoingTo: () => outgoing,
      token,
      machine: { folder: '', environment: {} },
    })
  }
  return { api, launcher, tokenFile }
}

const ready = { phase: 'Running', containerStatuses: [{ state: { running: {} } }] }

test('a start makes a Service and a Job with all that the settings say', async () => {
  const { api, launcher } = await aCluster()
  const kubernetes = launcher({
    port: 9_000,
    environment: { A: '1' },
    cpus: 2,
    gpus: 1,
    memory_bytes: 1e9,
    pod: {
      nodeSelector: { gpu: 'yes' },
      volumes: [{ name: 'shared', persistentVolumeClaim: { claimName: 'shared' } }],
      restartPolicy: 'Always',
    },
    container: {
      env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'k' } } }],
      volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
    },
  })
  expect(await kubernetes.start(never)).toBe('started')
  const labels = { 'heddle.dev/training-server': 'heddle-training', 'app.kubernetes.io/managed-by': 'heddle' }
  expect(api.jobs.get('heddle-training-1')).toMatchObject({
    metadata: { labels, annotations: { 'heddle.dev/settings': expect.stringMatching(/^[0-9a-f]{32}$/) } },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          nodeSelector: { gpu: 'yes' },
          volumes: [{ name: 'shared' }],
          containers: [
            {
              image: 'trainer:1',
              command: ['sh', '-c', 'serve --port 8000'],
              env: [{ name: 'A', value: '1' }, { name: 'KEY' }],
              ports: [{ name: 'tinker', containerPort: 9_000 }],
              resources: {
                requests: { cpu: '2', memory: '1000000000', 'nvidia.com/gpu': '1' },
                limits: { memory: '1000000000', 'nvidia.com/gpu': '1' },
              },
              volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
            },
          ],
        },
      },
    },
  })
  expect(api.services.get('heddle-training')).toMatchObject({
    spec: { selector: { 'heddle.dev/training-server': 'heddle-training' }, ports: [{ port: 80, targetPort: 'tinker' }] },
  })
})

test('the server is reached through its Service once its pod runs, and the state says what is pending until then', async () => {
  const { api, launcher } = await aCluster()
  const kubernetes = launcher()
  await kubernetes.start(never)
  expect(await kubernetes.state(never)).toEqual({ kind: 'pending', detail: 'its pod was not made yet' })
  api.pod('heddle-training-1', {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.' }],
  })
  expect(await kubernetes.state(never)).toEqual({ kind: 'pending', detail: '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.' })
  api.pod('heddle-training-1', {
    phase: 'Pending',
    containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "trainer:1"' } } }],
  })
  expect(await kubernetes.state(never)).toEqual({ kind: 'pending', detail: 'ImagePullBackOff: Back-off pulling image "trainer:1"' })
  api.pod('heddle-training-1', ready)
  expect(await kubernetes.state(never)).toEqual({ kind: 'running', address: 'http://heddle-training.trainers.svc' })
})

test('a job that failed says why', async () => {
  const { api, launcher } = await aCluster()
  const kubernetes = launcher()
  await kubernetes.start(never)
  api.pod('heddle-training-1', { phase: 'Failed', containerStatuses: [{ state: { terminated: { reason: 'OOMKilled', exitCode: 137 } } }] })
  api.fail('heddle-training-1')
  expect(await kubernetes.state(never)).toEqual({
    kind: 'ended',
    reason: 'the job failed: BackoffLimitExceeded: Job has reached the specified backoff limit: OOMKilled with exit code 137',
  })
  expect(await kubernetes.start(never)).toBe('started')
  expect(api.jobs.has('heddle-training-2')).toBe(true)
})

test('a process that starts after another adopts its server', async () => {
  const { api, launcher } = await aCluster()
  await launcher().start(never)
  api.pod('heddle-training-1', ready)
  const after = launcher()
  expect(await after.start(never)).toBe('adopted')
  expect(await after.state(never)).toMatchObject({ kind: 'running' })
  expect(api.jobs.size).toBe(1)
})

test('a server with other settings is deleted first, and its number is not used again while its pod ends', async () => {
  const { api, launcher } = await aCluster()
  await launcher().start(never)
  api.pod('heddle-training-1', ready)
  const changed = launcher({ image: 'trainer:2' })
  expect(await changed.start(never)).toBe('waiting')
  expect(await changed.start(never)).toBe('started')
  expect([...api.jobs.keys()]).toEqual(['heddle-training-1', 'heddle-training-2'])
  await changed.stop(never)
  expect([...api.jobs.keys()]).toEqual(['heddle-training-1'])
  expect(await changed.state(never)).toEqual({ kind: 'absent' })
})

test('two processes that start at the same time have one server', async () => {
  const { api, launcher } = await aCluster()
  const both = [launcher(), launcher()]
  const outcomes = await Promise.all(both.map((each) => each.start(never)))
  for (const [at, outcome] of outcomes.entries()) if (outcome === 'waiting') outcomes[at] = await both[at]!.start(never)
  expect(outcomes.toSorted()).toEqual(['adopted', 'started'])
  expect(api.jobs.size).toBe(1)
})

test('the rights in the documentation are those that the requests need', async () => {
  const { api, launcher } = await aCluster()
  const kubernetes = launcher()
  await kubernetes.start(never)
  await kubernetes.start(never)
  await kubernetes.state(never)
  await kubernetes.stop(never)
  const needed = api.requests.map((request) => {
    const [, method = '', group = '', resource = '', name] =
      /^(\w+) \/apis?\/(?:(\w+)\/)?v1\/namespaces\/\w+\/(\w+)(\/\S)?/.exec(request) ?? []
    return [group, resource, { GET: name === undefined ? 'list' : 'get', POST: 'create', DELETE: 'delete' }[method]].join(' ')
  })
  const page = readFileSync(new URL('../../../../../docs/launchers.md', import.meta.url), 'utf8')
  const [rules = ''] = codeIn(page, 'yaml')
  const listOf = (text = '') => text.split(', ').map((word) => word.replaceAll("'", ''))
  const granted = [...rules.matchAll(/apiGroups: \[(.*?)\], resources: \[(.*?)\], verbs: \[(.*?)\]/g)].flatMap(
    ([, groups, resources, verbs]) => listOf(verbs).map((verb) => [...listOf(groups), ...listOf(resources), verb].join(' ')),
  )
  expect([...new Set(needed)].toSorted()).toEqual(granted.toSorted())
})

test('a Service of somebody else is not used', async () => {
  const { api, launcher } = await aCluster()
  api.services.set('heddle-training', { metadata: { name: 'heddle-training', labels: { app: 'other' } } })
  await expect(launcher().start(never)).rejects.toThrow(
    'has a Service "heddle-training" in trainers that Heddle did not create; choose another "name"',
  )
  expect(api.jobs.size).toBe(0)
})

test('a given token is sent, else that of the file as it is now', async () => {
  const { api, launcher, tokenFile } = await aCluster()
  const kubernetes = launcher()
  await kubernetes.servers(never)
  writeFileSync(tokenFile, 'first\n')
  await kubernetes.servers(never)
  writeFileSync(tokenFile, 'second\n')
  await kubernetes.servers(never)
  await launcher({}, 'given').servers(never)
  const path = 'GET /apis/batch/v1/namespaces/trainers/jobs?labelSelector=heddle.dev%2Ftraining-server%3Dheddle-training'
  expect(api.requests).toEqual([`${path} `, `${path} Bearer first`, `${path} Bearer second`, `${path} Bearer given`])
})

test('the error for a rejected request quotes the message of the API', async () => {
  const { api, launcher } = await aCluster()
  api.fault = () => 403
  await expect(launcher().start(never)).rejects.toThrow(
    'jobs?labelSelector=heddle.dev%2Ftraining-server%3Dheddle-training with 403; check HEDDLE_TRAINING_LAUNCHER_TOKEN and what it is allowed to do: jobs.batch is forbidden: User "heddle" cannot list resource "jobs"',
  )
  api.fault = null
  await expect(launcher({ pod: { nodeSelectors: {} } }).start(never)).rejects.toThrow(/jobs with 422: .*nodeSelectors/)
})
