import { parseTimestamp } from '@heddle/core-api'
import type { ProjectDeletion } from '@heddle/core-api/types'
import { parseProjectId } from '@heddle/identity'
import { connect } from '../connect.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type Clock, createClock } from '../terminal/clock.ts'
import { formatTable } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface DeletionsOptions {
  /** `entity/project`. */
  project: string
  json?: boolean
}

interface DeletionsDeps {
  configuration: Configuration
  terminal: Terminal
}

/** Prints how far the deletions of many calls, feedback or versions of objects of a project are: those that have not ended, then those that ended in the last 7 days. */
export async function listDeletions({ project, json }: DeletionsOptions, { configuration, terminal }: DeletionsDeps): Promise<void> {
  const project_id = parseProjectId(project).id
  const { client } = await connect(configuration)
  const { deletions } = await client.projects.queryDeletions({ project_id })
  if (json) return terminal.json(JSON.stringify(deletions, null, 2))
  if (deletions.length === 0)
    return terminal.note(
      `Project ${project_id} had no deletion of more than 2,000 calls, 10,000 feedback or 1,000 versions of an object in the last 7 days`,
    )
  const clock = createClock(configuration.timeZone)
  const head = [`DELETED (${clock.zone})`, 'KIND', 'TOTAL', 'REMOVED', 'STATE']
  terminal.out(formatTable({ head, rows: deletions.map((one) => toCells(one, clock)), right: ['TOTAL', 'REMOVED'] }))
}

function toCells({ kind, deleted_at, total, removed, ended_at }: ProjectDeletion, clock: Clock): string[] {
  const state = ended_at === null ? `removing, ${Math.min(99, Math.floor((removed / total) * 100))} %` : 'ended'
  return [
    clock.text(parseTimestamp(deleted_at) ?? 0),
    kind.replaceAll('_', ' '),
    total.toLocaleString('en'),
    removed.toLocaleString('en'),
    state,
  ]
}
