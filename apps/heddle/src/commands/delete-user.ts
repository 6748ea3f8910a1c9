import { randomUUID } from 'node:crypto'
import { isApiError } from '@heddle/core-api'
import type { DataCounts } from '@heddle/core-api/types'
import { dataCountsText } from '@heddle/trace-model'
import { connectExactly, type TracingClient } from '../connect.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { confirm, type DeleteDeps, type DeleteFlags, runDeletion } from './delete-data.ts'

interface ProjectData {
  project_id: string
  found: DataCounts
}

const projectsOfPage = 100

/**
 * Deletes the data of a user in each project that the key may delete in, one after the other, once that is confirmed, and prints the receipts as a list.
 * @throws UsageError after the rest is done if the key may read projects that it may not delete in
 */
export async function deleteUserEverywhere(user_id: string, flags: Pick<DeleteFlags, 'dryRun' | 'yes'>, deps: DeleteDeps): Promise<void> {
  const { terminal } = deps
  // Counting may read all of each project.
  const client = await connectExactly(deps.configuration)
  const { found, forbidden } = await findUser(client, user_id, deps)
  for (const { project_id, found: counts } of found) terminal.note(`${project_id}: ${dataCountsText(counts)}`)
  if (found.length === 0) terminal.note(`No project has data of the user ${user_id}`)
  if (flags.dryRun === true) terminal.json(JSON.stringify(found, null, 2))
  else {
    if (flags.yes !== true && found.length > 0) await confirm(user_id, deps)
    const receipts = []
    for (const { project_id } of found)
      receipts.push(await runDeletion(client, { project_id, id: randomUUID(), selection: { kind: 'user', user_id } }, deps))
    terminal.json(JSON.stringify(receipts, null, 2))
  }
  if (forbidden.length > 0)
    throw new UsageError(
      `not looked at, since the key may not delete in them: ${forbidden.join(', ')}. Use a key whose role in them is admin`,
    )
}

/** Counts in all projects that the key may read; those with nothing of the user are left out. */
async function findUser(client: TracingClient, user_id: string, { terminal, signal }: DeleteDeps) {
  const found: ProjectData[] = []
  const forbidden: string[] = []
  for await (const project_id of projectIds(client, signal)) {
    terminal.status(`Counting in ${project_id} …`)
    const counts = await countIn(client, project_id, user_id, signal)
    if (counts === undefined) forbidden.push(project_id)
    else if (Object.values(counts).some((count) => count > 0)) found.push({ project_id, found: counts })
  }
  terminal.status('')
  return { found, forbidden }
}

/** Undefined if the key may not delete in the project. */
async function countIn(client: TracingClient, project_id: string, user_id: string, signal: AbortSignal): Promise<DataCounts | undefined> {
  const dryRun = { project_id, id: randomUUID(), selection: { kind: 'user', user_id }, dry_run: true } as const
  try {
    return (await client.dataDeletions.start(dryRun, { signal })).found ?? undefined
  } catch (error) {
    if (isApiError(error) && error.code === 'forbidden') return undefined
    throw error
  }
}

async function* projectIds(client: TracingClient, signal: AbortSignal): AsyncGenerator<string> {
  let after: string | null = null
  for (;;) {
    const page: Awaited<ReturnType<TracingClient['projects']['query']>> = await client.projects.query(
      { after, limit: projectsOfPage },
      { signal },
    )
    yield* page.projects.map(({ id }) => id)
    after = page.projects.at(-1)?.id ?? null
    if (!page.has_more || after === null) return
  }
}
