import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { expect, onTestFinished, test } from 'vitest'
import { createLauncher } from './create-launcher.ts'
import { parseLauncherFile } from './launcher-file.ts'
import { createFakeSlurm } from './testing/slurm-commands.ts'

const never = new AbortController().signal

async function aCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-slurm-launcher-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const slurm = await createFakeSlurm(folder)
  const shared = join(folder, 'shared')
  const launcher = (fields: object = {}, environment: Record<string, string> = { PATH: slurm.path }) =>
    createLauncher({
      settings: parseLauncherFile(JSON.stringify({ kind: 'slurm', command: 'serve --port 8000', folder: shared, ...fields })),
      outgoingTo: () => createOutgoing({ allowed: parseAllowedTargets([]) }),
      token: null,
      machine: { folder: join(folder, 'machine'), environment },
    })
  return { slurm, shared, launcher }
}

test('a start submits the command as a job with its resources and options, and with the variables that are passed on alone', async () => {
  const { slurm, shared, launcher } = await aCluster()
  const fields = { environment: { OWN: 'a, b' }, cpus: 3.5, gpus: 1, memory_bytes: 2 ** 31, options: ['--partition=gpu'] }
  expect(await launcher(fields, { PATH: slurm.path, PASSED: 'on' }).start(never)).toBe('started')
  const [job] = await slurm.jobs()
  expect(job).toMatchObject({
    script: '#!/bin/sh\nserve --port 8000\n',
    options: {
      'job-name': 'heddle-training-1',
      chdir: shared,
      output: join(shared, '%x.%j.log'),
      'cpus-per-task': '4',
      gpus: '1',
      mem: '2048M',
      partition: 'gpu',
      dependency: 'singleton',
      export: 'ALL',
    },
  })
  expect(job!.environment).toEqual({ PATH: slurm.path, PASSED: 'on', OWN: 'a, b' })
})

test('a job waits with the reason of Slurm, runs at the machine that Slurm chose, and ends with its last words', async () => {
  const { slurm, shared, launcher } = await aCluster()
  const trainer = launcher()
  await trainer.start(never)
  expect(await trainer.state(never)).toEqual({ kind: 'pending', detail: 'pending (Priority)' })
  await slurm.change(4_000, { state: 'RUNNING', node: 'gpu-07', reason: 'None' })
  expect(await trainer.state(never)).toEqual({ kind: 'running', address: 'http://gpu-07:8000' })
  expect(await trainer.servers(never)).toEqual(['heddle-training-1 runs at http://gpu-07:8000'])
  await writeFile(join(shared, 'heddle-training-1.4000.log'), 'starting\nCUDA error: out of memory\n')
  await slurm.change(4_000, { state: 'FAILED' })
  const ended = { kind: 'ended', reason: 'job 4000 is failed: starting\nCUDA error: out of memory' }
  expect(await trainer.state(never)).toEqual(ended)
  // Some minutes later only the accounts have it.
  await slurm.change(4_000, { isForgotten: true })
  expect(await trainer.state(never)).toEqual(ended)
  await slurm.fail('sacct', { code: 1, text: 'Slurm accounting storage is disabled\n' })
  expect(await trainer.state(never)).toEqual({ kind: 'absent' })
})

test('a job with the same settings is adopted, and one with others is stopped and waited for', async () => {
  const { slurm, launcher } = await aCluster()
  await launcher().start(never)
  await slurm.change(4_000, { state: 'RUNNING', node: 'gpu-07' })
  expect(await launcher().start(never)).toBe('adopted')
  const other = launcher({ environment: { A: '1' } })
  expect(await other.start(never)).toBe('waiting')
  expect((await slurm.jobs()).map(({ state }) => state)).toEqual(['CANCELLED'])
  expect(await other.start(never)).toBe('started')
  expect((await slurm.jobs()).map(({ options }) => options['job-name'])).toEqual(['heddle-training-1', 'heddle-training-2'])
  await other.stop(never)
  expect((await slurm.jobs()).map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED'])
})

test('of two starts at the same moment, the later one cancels its own job', async () => {
  const { slurm, launcher } = await aCluster()
  await slurm.overtake('heddle-training-1')
  expect(await launcher().start(never)).toBe('waiting')
  expect((await slurm.jobs()).map(({ state }) => state)).toEqual(['PENDING', 'CANCELLED'])
})

test('jobs of other names are left alone', async () => {
  const { slurm, launcher } = await aCluster()
  await launcher({ name: 'other' }).start(never)
  const trainer = launcher()
  expect(await trainer.servers(never)).toEqual([])
  await trainer.stop(never)
  expect((await slurm.jobs()).map(({ state }) => state)).toEqual(['PENDING'])
})

test('a command that fails is named with its exit code and its words, and one that is missing with the way out', async () => {
  const { slurm, launcher } = await aCluster()
  await slurm.fail('sbatch', { code: 1, text: 'sbatch: error: Batch job submission failed: Invalid account\n' })
  await expect(launcher().start(never)).rejects.toThrow(
    'sbatch ended with exit code 1: sbatch: error: Batch job submission failed: Invalid account',
  )
  await slurm.fail('squeue', { code: 1, text: 'slurm_load_jobs error: Unable to contact slurm controller\n' })
  await expect(launcher().servers(never)).rejects.toThrow('squeue ended with exit code 1: slurm_load_jobs error: Unable to contact')
  await expect(launcher({}, { PATH: '/nowhere' }).start(never)).rejects.toThrow(
    'this machine has no squeue: install the commands of Slurm where Heddle runs, or put their folder on its PATH',
  )
})
