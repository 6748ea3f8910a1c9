import type { Command } from 'commander'
import { createInterface } from 'node:readline/promises'
import type { DeleteDeps, DeleteFlags, Selection } from './commands/delete-data.ts'
import { clientSettings, configure, type ProgramDeps, untilInterrupt, withSettings } from './program-flags.ts'
import type { Flags } from './settings/configuration.ts'
import { UsageError } from './terminal/usage-error.ts'

type CallsFlags = Flags & DeleteFlags & { filter?: string; query?: string; wholeTraces?: boolean }

/** The commands that delete all data of a selection. */
export function addDelete(program: Command, deps: ProgramDeps): void {
  const command = program.command('delete').description('Delete data of a project of the running server for good, with a receipt')
  const run = async (selection: Selection, flags: Flags & DeleteFlags) => {
    const { deleteData } = await import('./commands/delete-data.ts')
    await untilInterrupt((signal) => deleteData(selection, flags, { ...configure(flags, deps), ask: askOf(), signal }))
  }
  withDeletion(command.command('project').description('Delete all records of the project')).action((flags: Flags & DeleteFlags) =>
    run({ kind: 'project' }, flags),
  )
  addDeleteUser(command, deps, run)
  withDeletion(command.command('calls').description('Delete the calls of a query with everything below them'))
    .option('--filter <json>', 'which calls, as the filter of calls.streamQuery')
    .option('--query <json>', 'further condition, as the query of calls.streamQuery')
    .option('--whole-traces', 'delete all other calls of their traces as well')
    .action(async ({ filter, query, wholeTraces = false, ...flags }: CallsFlags) => {
      const { parseCondition } = await import('./commands/delete-data.ts')
      const condition = { filter: parseCondition('--filter', filter), query: parseCondition('--query', query) }
      await run({ kind: 'calls', ...condition, whole_traces: wholeTraces } as Selection, flags)
    })
  withProject(command.command('list').description('List deletions and their progress'))
    .option('--json', 'print JSON with the receipts')
    .action(async (flags: Flags & DeleteFlags & { json?: boolean }) => {
      const { listDataDeletions } = await import('./commands/delete-data.ts')
      await listDataDeletions(flags, configure(flags, deps))
    })
  withProject(
    command.command('show').description('Print a deletion with its receipt as JSON').argument('<id>', 'id of the deletion'),
  ).action(async (id: string, flags: Flags & DeleteFlags) => {
    const { showDataDeletion } = await import('./commands/delete-data.ts')
    await showDataDeletion(id, flags, configure(flags, deps))
  })
}

type UserFlags = Flags & Omit<DeleteFlags, 'project'> & { project?: string; allProjects?: boolean }

function addDeleteUser(parent: Command, deps: ProgramDeps, run: (selection: Selection, flags: Flags & DeleteFlags) => Promise<void>): void {
  const command = parent
    .command('user')
    .description('Delete the traces that name a user, and the feedback and objects by the user')
    .argument('<user-id>', 'id of the user, exactly as in the records')
  withConfirmation(withSettings(command, [...clientSettings, 'timeZone']))
    .option('--project <entity/project>', 'project of the data')
    .option('--all-projects', 'delete in every project that the key may delete in')
    .action(async (user_id: string, { project, allProjects, ...flags }: UserFlags) => {
      if ((project === undefined) === (allProjects !== true)) throw new UsageError('name either --project entity/project or --all-projects')
      if (project !== undefined) return run({ kind: 'user', user_id }, { ...flags, project })
      if (flags.id !== undefined) throw new UsageError('--id is the id of one deletion, and --all-projects starts one in each project')
      const { deleteUserEverywhere } = await import('./commands/delete-user.ts')
      await untilInterrupt((signal) => deleteUserEverywhere(user_id, flags, { ...configure(flags, deps), ask: askOf(), signal }))
    })
}

function withProject(command: Command): Command {
  return withSettings(command, [...clientSettings, 'timeZone']).requiredOption('--project <entity/project>', 'project of the data')
}

const withDeletion = (command: Command) => withConfirmation(withProject(command))

function withConfirmation(command: Command): Command {
  return command
    .option('--dry-run', 'count what would be deleted, and delete nothing')
    .option('--yes', 'do not ask')
    .option('--id <uuid>', 'id of the deletion: a repeated command with the same one waits for the first (default: a new one)')
}

/** Where a person sits in front of the command. */
function askOf(): DeleteDeps['ask'] {
  if (!process.stdin.isTTY) return undefined
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await lines.question(question)
    } finally {
      lines.close()
    }
  }
}
