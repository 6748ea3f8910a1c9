import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parseTimestamp } from '@heddle/core-api'
import type { DataDeletion, DeletionReceipt } from '@heddle/core-api/types'
import { parseProjectId } from '@heddle/identity'
import { dataCountsText } from '@heddle/trace-model'
import { connect, connectExactly, type TracingClient } from '../connect.ts'
import type { Configuration } from '../settings/configuration.ts'
import { createClock } from '../terminal/clock.ts'
import { formatTable } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usage-error.ts'

export type Selection = Parameters<TracingClient['dataDeletions']['start']>[0]['selection']

export interface DeleteFlags {
  /** `entity/project`. */
  project: string
  dryRun?: boolean
  yes?: boolean
  /** Continue the deletion with this id, or begin it under that. */
  id?: string
}

export interface DeleteDeps {
  configuration: Configuration
  terminal: Terminal
  /** Asks the user. Undefined without a terminal. */
  ask: ((question: string) => Promise<string>) | undefined
  signal: AbortSignal
}

const pollMs = 500

/** Deletes the selected data once it is confirmed, waits for the end, and prints the receipt as JSON. An interrupted command does not end the deletion. */
export async function deleteData(selection: Selection, flags: DeleteFlags, deps: DeleteDeps): Promise<void> {
  const { terminal } = deps
  const project_id = parseProjectId(flags.project).id
  // Counting may read all of the project.
  const client = await connectExactly(deps.configuration)
  const id = flags.id ?? randomUUID()
  const { found } = await client.dataDeletions.start({ project_id, id, selection, dry_run: true })
  terminal.note(`${project_id}: ${(found && dataCountsText(found)) || 'nothing'}`)
  if (flags.dryRun === true) return terminal.json(JSON.stringify(found, null, 2))
  if (flags.yes !== true) await confirm(project_id, deps)
  terminal.json(JSON.stringify(await runDeletion(client, { project_id, id, selection }, deps), null, 2))
}

/** Starts a deletion and waits for its end. @returns its receipt */
export async function runDeletion(
  client: TracingClient,
  deletion: { project_id: string; id: string; selection: Selection },
  deps: DeleteDeps,
): Promise<DeletionReceipt | null> {
  const { project_id, id } = deletion
  await client.dataDeletions.start(deletion)
  deps.terminal.note(`Deletion ${id} has started. It continues if this command ends: see heddle delete show ${id} --project ${project_id}`)
  return (await untilEnded(client, { project_id, id }, deps)).receipt
}

/** Prints a deletion as JSON, with its receipt once it has ended. */
export async function showDataDeletion(id: string, { project }: Pick<DeleteFlags, 'project'>, { configuration, terminal }: DeletionsDeps) {
  const { client } = await connect(configuration)
  terminal.json(JSON.stringify(await client.dataDeletions.read({ project_id: parseProjectId(project).id, id }), null, 2))
}

type DeletionsDeps = Pick<DeleteDeps, 'configuration' | 'terminal'>

/** Prints the deletions of data of a project: those that have not ended, then the newest. */
export async function listDataDeletions(
  { project, json }: Pick<DeleteFlags, 'project'> & { json?: boolean },
  { configuration, terminal }: DeletionsDeps,
): Promise<void> {
  const project_id = parseProjectId(project).id
  const { client } = await connect(configuration)
  const { deletions } = await client.dataDeletions.query({ project_id, limit: 100 })
  if (json) return terminal.json(JSON.stringify(deletions, null, 2))
  if (deletions.length === 0) return terminal.note(`No data of project ${project_id} was deleted by \`heddle delete\``)
  const clock = createClock(configuration.timeZone)
  const rows = deletions.map(({ id, selection, state, requested_at, requested_by, removed }) => [
    clock.text(parseTimestamp(requested_at) ?? 0),
    id,
    [selection['kind'], selection['user_id']].filter((part) => part !== undefined).join(' '),
    requested_by,
    state,
    removed.calls.toLocaleString('en'),
  ])
  terminal.out(formatTable({ head: [`REQUESTED (${clock.zone})`, 'ID', 'SELECTION', 'BY', 'STATE', 'CALLS'], rows, right: ['CALLS'] }))
}

/** Reads a filter or query of calls. @throws UsageError for a text that is not JSON */
export function parseCondition(flag: string, text: string | undefined): unknown {
  if (text === undefined) return null
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${flag} must be JSON, as in calls.streamQuery: ${text.slice(0, 200)}`)
  }
}

/** Confirms a deletion by its name. @throws UsageError for any other answer, or without a terminal */
export async function confirm(name: string, { ask }: DeleteDeps): Promise<void> {
  if (ask === undefined) throw new UsageError('cannot ask for confirmation without a terminal: add --yes, or use --dry-run to only count')
  const answer = await ask(`This cannot be undone. Type ${name} to delete: `)
  if (answer.trim() !== name) throw new UsageError('not confirmed: nothing was deleted')
}

async function untilEnded(
  client: TracingClient,
  key: { project_id: string; id: string },
  { terminal, signal }: DeleteDeps,
): Promise<DataDeletion> {
  for (;;) {
    const deletion = await client.dataDeletions.read(key)
    terminal.status(deletion.state === 'ended' ? '' : `${deletion.state} … ${dataCountsText(deletion.removed) || 'nothing deleted yet'}`)
    if (deletion.state === 'ended') return deletion
    await delay(pollMs, undefined, { signal })
  }
}
