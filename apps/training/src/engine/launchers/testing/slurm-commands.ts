import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A job of the fake cluster. */
export interface FakeSlurmJob {
  id: number
  /** Values of the options of `sbatch`; true without one. */
  options: Record<string, string | true>
  script: string
  environment: Record<string, string>
  state: string
  node: string
  reason: string
  /** Whether `squeue` has forgotten it. */
  isForgotten: boolean
}

export interface FakeSlurm {
  /** The folder of the commands `sbatch`, `squeue`, `scancel` and `sacct`, with that of Node, which they run on. */
  path: string
  jobs(): Promise<FakeSlurmJob[]>
  /** Changes the job of this id. */
  change(id: number, fields: Partial<FakeSlurmJob>): Promise<void>
  /** The next calls of a command end with this exit code and text. */
  fail(command: string, failure: { code: number; text: string } | null): Promise<void>
  /** Submits a job of this name just before the next `sbatch` does. */
  overtake(name: string): Promise<void>
}

/** Commands that take the options which we use, and print what Slurm's manual pages say. All other options are refused. */
export async function createFakeSlurm(folder: string): Promise<FakeSlurm> {
  const file = join(folder, 'state.json')
  const commands = join(folder, 'bin')
  await mkdir(commands, { recursive: true })
  const state = async () =>
    JSON.parse(await readFile(file, 'utf8')) as { jobs: FakeSlurmJob[]; failures: object; overtaking: string | null }
  const write = (value: object) => writeFile(file, JSON.stringify(value))
  await write({ jobs: [], failures: {}, overtaking: null })
  for (const name of ['sbatch', 'squeue', 'scancel', 'sacct']) {
    await writeFile(
      join(commands, name),
      `#!/usr/bin/env node\n(${runCommand.toString()})(${JSON.stringify(name)}, ${JSON.stringify(file)})\n`,
    )
    await chmod(join(commands, name), 0o755)
  }
  return {
    path: `${commands}:${dirname(process.execPath)}:/usr/bin:/bin`,
    jobs: async () => (await state()).jobs,
    async change(id, fields) {
      const { jobs, ...rest } = await state()
      await write({ ...rest, jobs: jobs.map((job) => (job.id === id ? { ...job, ...fields } : job)) })
    },
    async fail(command, failure) {
      const { failures, ...rest } = await state()
      await write({ ...rest, failures: { ...failures, [command]: failure } })
    },
    async overtake(name) {
      await write({ ...(await state()), overtaking: name })
    },
  }
}

/** The text of all four commands: it may use nothing of this module. */
function runCommand(command: string, file: string): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const state = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    jobs: FakeSlurmJob[]
    failures: Record<string, { code: number; text: string } | null>
    overtaking: string | null
  }
  const end = (code: number, text: string): never => {
    fs.writeSync(2, text)
    // oxlint-disable-next-line unicorn/no-process-exit
    process.exit(code)
  }
  const failure = state.failures[command]
  if (failure) end(failure.code, failure.text)
  const known: Record<string, string[]> = {
    sbatch: `parsable job-name comment dependency no-requeue nodes ntasks export chdir output open-mode
      cpus-per-task gpus mem partition`.split(/\s+/),
    squeue: ['noheader', 'user', 'states', 'format'],
    scancel: ['quiet'],
    sacct: ['allocations', 'noheader', 'parsable2', 'format', 'user', 'name', 'starttime'],
  }
  const options: Record<string, string | true> = {}
  const operands: string[] = []
  for (const argument of process.argv.slice(2)) {
    const [, name, value] = /^--([a-z0-9-]+)(?:=(.*))?$/s.exec(argument) ?? []
    if (name === undefined) operands.push(argument)
    else if (known[command]!.includes(name)) options[name] = value ?? true
    else end(1, `${command}: unrecognized option '--${name}'`)
  }
  const submit = (given: Record<string, string | true>, script: string) => {
    const id = 4_000 + state.jobs.length
    // oxlint-disable-next-line no-restricted-properties
    const environment = { ...process.env } as Record<string, string>
    state.jobs.push({ id, options: given, script, environment, state: 'PENDING', node: '', reason: 'Priority', isForgotten: false })
    return id
  }
  // Without it they answer with the jobs of everyone.
  if (['squeue', 'sacct'].includes(command) && options['user'] === undefined) end(1, `${command}: of which user?`)
  const save = () => fs.writeFileSync(file, JSON.stringify(state))
  if (command === 'sbatch') {
    if (state.overtaking !== null) submit({ 'job-name': state.overtaking, comment: 'of another' }, '')
    state.overtaking = null
    const id = submit(options, fs.readFileSync(0, 'utf8'))
    save()
    process.stdout.write(`${id}\n`)
  } else if (command === 'squeue') {
    const listed = state.jobs.filter(({ isForgotten }) => !isForgotten)
    const text = listed.map((job) => {
      const values: Record<string, string> = {
        '%i': String(job.id),
        '%T': job.state,
        '%N': job.node,
        '%j': String(job.options['job-name']),
        '%k': String(job.options['comment'] ?? '(null)'),
        '%r': job.reason,
      }
      return `${String(options['format']).replace(/%[a-zA-Z]/g, (field) => values[field] ?? '')}\n`
    })
    process.stdout.write(text.join(''))
  } else if (command === 'scancel') {
    for (const job of state.jobs) if (operands.includes(String(job.id))) job.state = 'CANCELLED'
    save()
  } else {
    const own = state.jobs.filter((job) => job.options['job-name'] === options['name'])
    process.stdout.write(own.map(({ id, state: now }) => `${id}|${now === 'CANCELLED' ? 'CANCELLED by 1000' : now}\n`).join(''))
  }
}
