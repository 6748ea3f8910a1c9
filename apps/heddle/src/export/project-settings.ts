import { isApiError } from '@heddle/core-api'
import { limitNames } from '@heddle/core-api/internal'
import { z } from 'zod'
import type { TracingClient } from '../connect.ts'
import { exportFiles } from './export-manifest.ts'
import { type ImportContext, lineError, readRecords } from './import-context.ts'

const Limit = z.number().nullable()

const ProjectSettings = z.object({
  /** Set for the project; those of the server are not in it. Null: none. */
  limits: z.object({ requests_per_minute: Limit, requests_per_minute_per_key: Limit, ingested_bytes_per_day: Limit }),
  /** Null: calls do not expire. */
  retention_days: z.number().nullable(),
  /** Without their secrets, and without their URLs, whose paths are secrets of some services. Null: the key could not list them. */
  webhooks: z.array(z.object({ name: z.string(), events: z.array(z.string()) })).nullable(),
})
/** What a project is set to. */
export type ProjectSettings = z.output<typeof ProjectSettings>

/** Reads what a project is set to, as the one line of its file. */
export async function* settingsOf(client: TracingClient, project_id: string): AsyncGenerator<ProjectSettings> {
  const limits = await client.projects.readLimits({ project_id })
  const own = Object.fromEntries(limitNames.map((name) => [name, limits[name].own_limit])) as ProjectSettings['limits']
  const { retention_days } = await client.projects.readTtlSettings({ project_id })
  const listed = await client.webhooks.list({ project_id }).catch(unlessForbidden)
  const webhooks = listed?.webhooks.map(({ name, events }) => ({ name, events })) ?? null
  yield { limits: own, retention_days, webhooks }
}

/**
 * Sets the limits of the exported project that are limits; others of the project that is written to stay. Returns what was not
 * imported, as sentences: limits that the key may not set or that are above those of the server, the retention, by which old calls
 * would expire at once, and webhooks, whose secrets and URLs are not in an export.
 * @throws UsageError for a line that does not hold settings
 */
export async function importSettings(context: ImportContext): Promise<string[]> {
  const left: string[] = []
  for await (const { line, record } of readRecords(context, exportFiles.settings)) {
    const settings = ProjectSettings.safeParse(record)
    if (!settings.success) throw lineError(line, `not the settings of a project: ${settings.error.issues[0]?.message}`)
    left.push(...(await setLimits(context, settings.data)), ...leftOut(settings.data))
  }
  return left
}

async function setLimits({ client, project }: ImportContext, { limits }: ProjectSettings): Promise<string[]> {
  const left: string[] = []
  for (const name of limitNames) {
    const limit = limits[name]
    if (limit === null) continue
    try {
      await client.projects.updateLimits({ project_id: project, [name]: limit })
    } catch (error) {
      if (!isApiError(error) || (error.status !== 400 && error.status !== 403)) throw error
      left.push(`The limit ${name} of ${limit} was not set: ${error.message}.`)
    }
  }
  return left
}

function leftOut({ retention_days, webhooks }: ProjectSettings): string[] {
  const left: string[] = []
  if (retention_days !== null)
    left.push(
      `The retention of ${retention_days} days was not set: older calls would expire at once. Set it in the settings of the project.`,
    )
  if (webhooks === null) left.push('Whether the project had webhooks is not known: the key of the export could not list them.')
  for (const { name, events } of webhooks ?? [])
    left.push(
      `The webhook ${JSON.stringify(name)} (${events.join(', ')}) was not created: its URL and secret are not exported. Create it in the settings of the project.`,
    )
  return left
}

function unlessForbidden(error: unknown): undefined {
  if (!isApiError(error) || error.status !== 403) throw error
}
