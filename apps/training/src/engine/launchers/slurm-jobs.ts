import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClusterJob, ClusterJobs } from './cluster-jobs.ts'
import { LauncherError } from './engine-launcher.ts'
import { isJobOf } from './job-launcher.ts'
import { lastWords } from './last-words.ts'
import { readEnd, shortenFile } from './output-file.ts'
import type { ServerSettings } from './server-settings.ts'

export interface SlurmJobsOptions {
  /** Variables of Slurm's commands. The server gets those of `sbatch`, and its own. */
  environment: Readonly<Record<string, string>>
  /** Whose jobs they are: the user of this process. */
  user: string
  /** Prefix of the jobs' names. */
  name: string
  server: ServerSettings
  /** Where the server runs and its output is: on a disk that the machines of the cluster share with this one. */
  folder: string
  /** Further options of `sbatch`. */
  options: readonly string[]
}

type SlurmCommand = 'sbatch' | 'squeue' | 'scancel' | 'sacct'

/** A job as `squeue` lists it. */
interface QueueRow {
  jobId: number
  state: string
  /** The machine that runs it; empty before it is known. */
  node: string
  name: string
  settings: string
  reason: string
}

const queueFormat = '%i|%T|%N|%j|%k|%r'
/** States of jobs that hold their machine; of all others that have not ended, the job waits. */
const holding = ['RUNNING', 'COMPLETING', 'SIGNALING', 'STAGE_OUT', 'RESIZING', 'STOPPED', 'SUSPENDED']
const final = 'BOOT_FAIL CANCELLED COMPLETED DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PREEMPTED REVOKED TIMEOUT'.split(' ')
const timeoutMs = 30_000
const maxOutputBytes = 64 * 2 ** 20

/** Training servers as batch jobs of Slurm, by its commands on this machine: https://slurm.schedmd.com/man_index.html. */
export function createSlurmJobs({ environment, user, name, server, folder, options }: SlurmJobsOptions): ClusterJobs {
  const place = 'Slurm'
  const env = { ...environment, ...server.environment }
  const run = (command: SlurmCommand, args: readonly string[], signal: AbortSignal, input = '') =>
    runCommand(command, args, { env, input, signal })
  const outputOf = ({ name: id, jobId }: Pick<QueueRow, 'name' | 'jobId'>) => join(folder, `${id}.${jobId}.log`)

  /** What Slurm still holds in memory: all that has not ended, and what ended in the last minutes. */
  async function readQueue(signal: AbortSignal): Promise<QueueRow[]> {
    const args = ['--noheader', `--user=${user}`, '--states=all', `--format=${queueFormat}`]
    const lines = (await run('squeue', args, signal)).split('\n').filter((line) => line.trim() !== '')
    return lines.map(toQueueRow).filter((row) => isJobOf(name, row.name))
  }

  /** Slurm does not keep names unique: of the jobs of one name, the first that has not ended, else the last. */
  function pick(rows: readonly QueueRow[], id: string): QueueRow | undefined {
    const same = rows.filter((row) => row.name === id).toSorted((left, right) => left.jobId - right.jobId)
    return same.find(isUnfinished) ?? same.at(-1)
  }

  async function toJob(row: QueueRow): Promise<ClusterJob> {
    return { id: row.name, settings: row.settings, state: await stateOf(row) }
  }

  async function stateOf(row: QueueRow): Promise<ClusterJob['state']> {
    const { state, node, reason } = row
    if (!isUnfinished(row)) return { kind: 'ended', reason: await endingOf(row) }
    if (!holding.includes(state) || node === '') return { kind: 'pending', detail: `${state.toLowerCase()} (${reason})` }
    return { kind: 'running', address: server.address ?? `http://${node}:${server.port}` }
  }

  async function endingOf(row: Pick<QueueRow, 'name' | 'jobId' | 'state'>): Promise<string> {
    const output = outputOf(row)
    return `job ${row.jobId} is ${row.state.toLowerCase()}: ${lastWords(await readEnd(output)) || `it wrote nothing to ${output}`}`
  }

  /** A job that has left the queue. Null where Slurm keeps no accounts, or has none of it. */
  async function readAccount(id: string, signal: AbortSignal): Promise<ClusterJob | null> {
    const which = [`--user=${user}`, `--name=${id}`, '--starttime=now-30days']
    const args = ['--allocations', '--noheader', '--parsable2', '--format=JobIDRaw,State', ...which]
    const text = await run('sacct', args, signal).catch((error: unknown) => {
      if (error instanceof LauncherError && error.message.includes('accounting storage is disabled')) return ''
      throw error
    })
    const last = text.trim().split('\n').at(-1) ?? ''
    // Who cancelled a job follows its state: `CANCELLED by 1000`.
    const [, jobId, state] = /^(\d+)\|([A-Z_]+)/.exec(last) ?? []
    if (jobId === undefined || state === undefined) return null
    return { id, settings: null, state: { kind: 'ended', reason: await endingOf({ name: id, jobId: Number(jobId), state }) } }
  }

  return {
    place,
    async list(signal) {
      const rows = await readQueue(signal)
      const names = [...new Set(rows.map((row) => row.name))]
      return Promise.all(names.map((id) => toJob(pick(rows, id)!)))
    },
    async read(id, signal) {
      const row = pick(await readQueue(signal), id)
      return row ? toJob(row) : readAccount(id, signal)
    },
    async submit({ id, settings }, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const args = ['--parsable', `--job-name=${id}`, `--comment=${settings}`, ...argumentsOf({ server, folder }), ...options]
      const answer = await run('sbatch', args, signal, `#!/bin/sh\n${server.command}\n`)
      // With several clusters the name of the cluster follows.
      const [, digits] = /^(\d+)(;.*)?$/.exec(answer.trim()) ?? []
      if (digits === undefined) throw new LauncherError(`sbatch answered "${lastWords(answer)}" where the id of a job was expected`)
      const first = pick(await readQueue(signal), id)
      if (first === undefined || first.jobId >= Number(digits)) return 'submitted'
      await run('scancel', ['--quiet', digits], signal)
      return 'exists'
    },
    async stop(id, signal) {
      const unfinished = (await readQueue(signal)).filter((row) => row.name === id && isUnfinished(row))
      if (unfinished.length > 0) await run('scancel', ['--quiet', ...unfinished.map(({ jobId }) => String(jobId))], signal)
    },
    /** Slurm forgets jobs by itself; their output stays. */
    async remove(id, signal) {
      const ended = (await readQueue(signal)).filter((row) => row.name === id && !isUnfinished(row))
      for (const row of ended) await rm(outputOf(row), { force: true })
    },
    async shortenOutput(id) {
      const row = pick(await readQueue(AbortSignal.timeout(timeoutMs)), id)
      if (row) await shortenFile(outputOf(row))
    },
  }
}

const isUnfinished = ({ state }: QueueRow) => !final.includes(state)

/** @throws LauncherError for a line in another form */
function toQueueRow(line: string): QueueRow {
  const [jobId = '', state = '', node, jobName, settings, ...reason] = line.trim().split('|')
  if (!/^\d+$/.test(jobId) || node === undefined || jobName === undefined || settings === undefined || reason.length === 0)
    throw new LauncherError(`squeue answered "${lastWords(line)}", which is not in the form ${queueFormat}`)
  return { jobId: Number(jobId), state, node, name: jobName, settings, reason: reason.join('|') }
}

function argumentsOf({ server, folder }: Pick<SlurmJobsOptions, 'server' | 'folder'>): string[] {
  const { cpus, gpus, memoryBytes } = server
  return [
    // One server at a time, also if two are submitted at the same moment. A server that is lost is started again by its launcher.
    '--dependency=singleton',
    '--no-requeue',
    '--nodes=1',
    '--ntasks=1',
    // The variables are those of `sbatch`, which has none of the secrets of this process.
    '--export=ALL',
    `--chdir=${folder}`,
    `--output=${join(folder, '%x.%j.log')}`,
    '--open-mode=append',
    ...(cpus === null ? [] : [`--cpus-per-task=${Math.ceil(cpus)}`]),
    ...(gpus === null || gpus === 0 ? [] : [`--gpus=${gpus}`]),
    ...(memoryBytes === null ? [] : [`--mem=${Math.ceil(memoryBytes / 2 ** 20)}M`]),
  ]
}

interface CommandRun {
  env: Readonly<Record<string, string>>
  input: string
  signal: AbortSignal
}

/** The output of a command. @throws LauncherError that names the command and its exit code, the reason of the signal when it aborts */
function runCommand(command: SlurmCommand, args: readonly string[], { env, input, signal }: CommandRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { env, signal, timeout: timeoutMs, maxBuffer: maxOutputBytes }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(signal.aborted ? signal.reason : new LauncherError(problemOf(command, error, stderr || stdout), { cause: error }))
    })
    // A command that ends early does not read it.
    child.stdin?.on('error', () => undefined).end(input)
  })
}

function problemOf(
  command: SlurmCommand,
  { code, killed }: { code?: number | string | null; killed?: boolean | undefined },
  output: string,
): string {
  if (code === 'ENOENT')
    return `this machine has no ${command}: install the commands of Slurm where Heddle runs, or put their folder on its PATH`
  if (killed === true) return `${command} did not end within ${timeoutMs / 1_000} s`
  return `${command} ended with exit code ${code ?? 'unknown'}: ${lastWords(output) || 'it wrote nothing'}`
}
