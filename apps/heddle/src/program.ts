import { Command, Option } from 'commander'
import type { ChatOptions } from './commands/chat.ts'
import { type ForeignSource, foreignSources } from './import-from/foreign-sources.ts'
import type { FormFlags } from './import-from/form-flags.ts'
import { addDelete } from './program-delete.ts'
import { addEval } from './program-eval.ts'
import { addThreads } from './program-threads.ts'
import { addDemo, addJobs, addModels } from './program-training.ts'
import { addTrain, addTrajectories } from './program-trajectories.ts'
import {
  clientSettings,
  collect,
  configure,
  type ProgramDeps,
  untilInterrupt,
  withProject,
  withSettings,
  withSource,
} from './program-flags.ts'
import type { Flags } from './settings/configuration.ts'
import { settingKeys } from './settings/settings.ts'
import { getHeapStatistics } from 'node:v8'
import { readMemoryLimit } from '@heddle/datastore/memory'
import { needsRestartForHeap, planMemory, type RunningHeap } from './process/memory-plan.ts'
import { isRunByNpm } from './process/parent-process.ts'
import { version } from './settings/version.ts'

/** The command line. Each command is loaded when it is called, so that the others cost no time. */
export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('heddle').description('Tracing and evaluation for LLM applications.').version(version)
  program.configureHelp({ sortOptions: true })
  // Ends by an error instead of the process, so that the caller decides what follows.
  program.exitOverride().configureOutput({ writeOut: lineBy(deps.terminal.out), writeErr: lineBy(deps.terminal.note) })
  addServe(program, deps)
  addKeys(program, deps)
  addSignInLink(program, deps)
  addDoctor(program, deps)
  addPrintEnv(program, deps)
  addTraces(program, deps)
  addThreads(program, deps)
  addEval(program, deps)
  addModels(program, deps)
  addJobs(program, deps)
  addTrain(program, deps)
  addTrajectories(program, deps)
  addChat(program, deps)
  addDemo(program, deps)
  addBackup(program, deps)
  addMigrate(program, deps)
  addRebuild(program, deps)
  addTransfer(program, deps)
  addDelete(program, deps)
  nameHelpInErrors(program, program.name())
  return program
}

/** A command that was called wrongly names its own help, not that of all commands. */
function nameHelpInErrors(command: Command, words: string): void {
  command.showHelpAfterError(`(see: ${words} --help)`)
  for (const one of command.commands) nameHelpInErrors(one, `${words} ${one.name()}`)
}

/** The parser's texts end with a line break, which the terminal adds. */
const lineBy = (write: (text: string) => void) => (text: string) => write(text.replace(/\n$/, ''))

/** Of commands that work on the stores. */
const keySettings = ['dataDir', 'databaseUrl'] as const
const storeSettings = ['host', 'port', 'dataDir', 'apiKey', 'clickhouseUrl', 'databaseUrl', 'blobsUrl'] as const

function readHeap({ NODE_OPTIONS: nodeOptions = '' }: ProgramDeps['environment']): RunningHeap {
  return { limitBytes: getHeapStatistics().heap_size_limit, execArgv: process.execArgv, nodeOptions }
}

function addServe(program: Command, deps: ProgramDeps): void {
  withSettings(program.command('serve').alias('start').description('Start the server'), settingKeys)
    .option('--end-with-parent', 'stop when the parent process ends (default when npm runs the command)')
    .action(async (flags: Flags & { endWithParent?: boolean }) => {
      const endsWithParent = flags.endWithParent ?? isRunByNpm(deps.environment, process.argv[1] ?? '')
      const { configuration, terminal } = configure(flags, deps)
      const memory = planMemory(readMemoryLimit(), configuration)
      if (deps.runAgain && needsRestartForHeap(memory, configuration.heapMemoryBytes !== undefined, readHeap(deps.environment)))
        return deps.setExitCode(await deps.runAgain({ heapBytes: memory.heapBytes, endsWithParent }))
      const { serve } = await import('./commands/serve.ts')
      return serve({ configuration, terminal, endsWithParent })
    })
}

function addKeys(program: Command, deps: ProgramDeps): void {
  const keys = program.command('keys').description('Create, list and revoke API keys')
  withSettings(keys.command('create').description('Create a key and print it'), keySettings)
    .requiredOption('--name <name>', 'name of the key')
    .option('--role <role>', 'reader, writer (read and write), ingest (write only) or admin (read, write and delete)', 'writer')
    .option('--entity <entity>', 'limit the key to projects of this entity')
    .option('--project <entity/project[=role]>', 'limit the key to this project; repeatable', collect)
    .option('--scope <effect>', 'limit the role to read, write or destroy; repeatable', collect)
    .option('--expires-in-days <days>', 'days until the key expires (default: never)')
    .option('--record', 'record chats with trained models: each conversation is a trajectory')
    .option('--record-trajectory <id>', 'record them all in this trajectory')
    .option('--record-group <id>', 'record them in this group')
    .option('--json', 'print JSON')
    .action(async (flags: Flags & Parameters<typeof import('./commands/keys.ts').createKey>[0]) => {
      const { createKey } = await import('./commands/keys.ts')
      await createKey(flags, configure(flags, deps))
    })
  withSettings(keys.command('list').description('List all keys, without their secrets'), [...keySettings, 'timeZone'])
    .option('--json', 'print JSON')
    .action(async (flags: Flags & { json?: boolean }) => {
      const { listKeys } = await import('./commands/keys.ts')
      await listKeys(flags, configure(flags, deps))
    })
  withSettings(keys.command('revoke').description('Revoke a key').argument('<id>', 'id of the key, or a prefix of it'), keySettings)
    .option('--end-made', 'end the public links, monitors and webhooks that were made with the key as well')
    .action(async (id: string, flags: Flags & { endMade?: boolean }) => {
      const { revokeKey } = await import('./commands/keys.ts')
      await revokeKey(id, { ...configure(flags, deps), endMade: flags.endMade === true })
    })
}

function addSignInLink(program: Command, deps: ProgramDeps): void {
  withSettings(
    program.command('sign-in-link').description('Print a link that signs a browser in once, within ten minutes'),
    clientSettings,
  ).action(async (flags: Flags) => {
    const { signInLink } = await import('./commands/sign-in-link.ts')
    await signInLink(configure(flags, deps))
  })
}

function addDoctor(program: Command, deps: ProgramDeps): void {
  withSettings(
    program.command('doctor').description('Check this machine, all that is stored and the running server, and send a test span through it'),
    settingKeys.filter((key) => key !== 'logLevel' && key !== 'timeZone'),
  )
    .option('--json', 'print JSON')
    .option('--quick', 'do not read all that is stored: only what a start looks at, and which files there are')
    .option(
      '--repair',
      'first accept the stores as they are, also where they do not belong together or acknowledged commits are missing, and set damaged parts of tables aside; the server must be stopped',
    )
    .action(async (flags: Flags & { json?: boolean; repair?: boolean; quick?: boolean }) => {
      const { doctor } = await import('./commands/doctor.ts')
      const { configuration, terminal } = configure(flags, deps)
      if (!(await doctor({ ...flags, configuration }, terminal))) deps.setExitCode(1)
    })
}

function addPrintEnv(program: Command, deps: ProgramDeps): void {
  const command = program.command('print-env').description('Print environment variables that make a program send its traces here')
  withProject(withSettings(command, clientSettings), 'project to send traces to', deps)
    .option('--python', 'print variables for the Python client instead of OpenTelemetry')
    .option('--dotenv', 'print lines for a .env file instead of a shell')
    // Its former name, which Node 20 takes for itself unless it is the last word of the line.
    .addOption(new Option('--env-file').hideHelp())
    .addHelpText('after', '\nExample:\n  eval "$(heddle print-env)"')
    .action(async (flags: Flags & { project: string; python?: boolean; dotenv?: boolean; envFile?: boolean }) => {
      const { printEnv } = await import('./commands/print-env.ts')
      const { configuration, terminal } = configure(flags, deps)
      await printEnv({ ...flags, dotenv: flags.dotenv ?? flags.envFile ?? false, configuration }, terminal)
    })
}

function addTraces(program: Command, deps: ProgramDeps): void {
  const traces = program.command('traces').description('Show traces of the running server')
  withSource(traces.command('list').description('List the newest traces'), deps)
    .option('--limit <number>', 'number of traces, at most 1000', '20')
    .option('--slowest', 'the slowest traces first, of all of the project')
    .option('-f, --follow', 'keep printing new and changed traces')
    .action(async (flags: TraceFlags & { limit: string; slowest?: boolean }) => {
      const { listTraces } = await import('./commands/traces.ts')
      await untilInterrupt((signal) => listTraces(flags, { ...configure(flags, deps), signal }))
    })
  withSource(
    traces.command('show').description('Show a trace as a tree').argument('[trace-id]', 'id of the trace (default: the newest)'),
    deps,
  )
    .option('--messages', 'print what was said to models and agents and by them, in place of the tree')
    .option('-f, --follow', 'print it again after each change until it has ended')
    .action(async (traceId: string | undefined, flags: TraceFlags & { messages?: boolean }) => {
      const { showTrace } = await import('./commands/traces.ts')
      await untilInterrupt((signal) => showTrace(traceId, flags, { ...configure(flags, deps), signal }))
    })
  withSource(
    traces.command('deletions').description('List deletions of many calls, feedback or versions of objects, and how far their removal is'),
    deps,
  ).action(async (flags: TraceFlags) => {
    const { listDeletions } = await import('./commands/deletions.ts')
    await listDeletions(flags, configure(flags, deps))
  })
}

function addChat(program: Command, deps: ProgramDeps): void {
  withSettings(program.command('chat').description('Chat with a model of the running server'), clientSettings)
    .argument('[message]', 'one message (default: from the input; in a terminal, a conversation)')
    .option('--model <name>', 'a base model, or a trained one as entity/project/name[:stepN] (default: the first base model)')
    .option('--system <text>', 'system message')
    .option('--temperature <number>', '0 takes the likeliest token (default: 1)')
    .option('--max-tokens <number>', 'tokens of a response (default: up to the end of the context)')
    .option('--seed <integer>', 'the same seed gives the same response')
    .action(async (message: string | undefined, flags: Flags & ChatOptions) => {
      const { chat } = await import('./commands/chat.ts')
      const { stdin: input, stdout: output } = process
      await untilInterrupt((signal) => chat(message, flags, { ...configure(flags, deps), input, output, signal }))
    })
}

function addBackup(program: Command, deps: ProgramDeps): void {
  withSettings(
    program
      .command('backup')
      .description('Back up everything to a folder, with or without a running server')
      .argument('<folder>', 'destination; must be empty or not exist'),
    [...storeSettings, 'url'],
  ).action(async (folder: string, flags: Flags) => {
    const { backup } = await import('./commands/backup.ts')
    await backup({ folder, ...configure(flags, deps) })
  })
  withSettings(
    program
      .command('restore')
      .description('Create a new data folder from a backup')
      .argument('<folder>', 'folder written by `heddle backup`'),
    storeSettings,
  )
    .option('--verify', 'only verify that the backup is complete and undamaged')
    .action(async (folder: string, flags: Flags & { verify?: boolean }) => {
      const { restore } = await import('./commands/restore.ts')
      await restore({ folder, isCheck: flags.verify ?? false, ...configure(flags, deps) })
    })
}

function addMigrate(program: Command, deps: ProgramDeps): void {
  withSettings(
    program
      .command('migrate')
      .description(
        'Prepare the stores for this version, before its servers start; servers that share ClickHouse and PostgreSQL serve meanwhile',
      ),
    [...storeSettings, 'textIndex'],
  ).action(async (flags: Flags) => {
    const { migrate } = await import('./commands/migrate.ts')
    await migrate(configure(flags, deps))
  })
}

function addRebuild(program: Command, deps: ProgramDeps): void {
  const rebuild = program.command('rebuild').description('Compute derived data again')
  withSettings(
    rebuild
      .command('traces')
      .description('Settle all traces again: their roots, threads, statuses and the usage that counts (the server must be stopped)'),
    storeSettings,
  ).action(async (flags: Flags) => {
    const { rebuildTracesCommand } = await import('./commands/rebuild.ts')
    await rebuildTracesCommand(configure(flags, deps))
  })
}

function addTransfer(program: Command, deps: ProgramDeps): void {
  withNamedProject(program.command('export').description('Export a project of the running server to a folder of JSON Lines and files'))
    .argument('<folder>', 'destination; must be empty or not exist')
    .action(async (folder: string, flags: TransferFlags) => {
      const { exportCommand } = await import('./commands/export.ts')
      await exportCommand({ folder, project: flags.project, ...configure(flags, deps) })
    })
  withNamedProject(
    program
      .command('import')
      .description('Import an export of Heddle or of another product into a project of the running server (idempotent)'),
  )
    .argument('<path>', 'folder written by `heddle export`; with --from, a file or a folder of exports: JSON, JSON Lines, CSV or Parquet')
    .addOption(new Option('--from <product>', 'what wrote the export').choices(['heddle', ...foreignSources]).default('heddle'))
    .option('--encoding <name>', 'with --from: encoding of the files, such as windows-1252 (default: detected)')
    .option('--separator <name>', 'with --from: comma, semicolon, tab, bar or none, for CSV (default: detected)')
    .addHelpText('after', '\nWhat is taken of each product: docs/importing.md')
    .action(async (path: string, { from, encoding, separator, ...flags }: ImportFlags) => {
      const { importCommand, importForeignCommand } = await import('./commands/import.ts')
      const options = { project: flags.project, ...configure(flags, deps) }
      const form = { encoding, separator }
      await (from === 'heddle' ? importCommand({ folder: path, form, ...options }) : importForeignCommand({ path, from, form, ...options }))
    })
}

type TransferFlags = Flags & { project: string }
type ImportFlags = TransferFlags & FormFlags & { from: 'heddle' | ForeignSource }

function withNamedProject(command: Command): Command {
  return withSettings(command, clientSettings).requiredOption('--project <entity/project>', 'project to read or write')
}

type TraceFlags = Flags & { project: string; json?: boolean; follow?: boolean }
