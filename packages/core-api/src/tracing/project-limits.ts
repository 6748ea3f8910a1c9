import { z } from 'zod'
import { lenientIntBetween } from '../shapes/lenient.ts'

/** The limits of a project, in the order in which they are shown. */
export const limitNames = ['requests_per_minute', 'requests_per_minute_per_key', 'ingested_bytes_per_day'] as const
export type LimitName = (typeof limitNames)[number]

/** A value for each limit; null: none. */
export type LimitValues = Record<LimitName, number | null>

/** Limits to set; absent ones are unchanged. */
export type LimitChanges = { [Name in LimitName]?: number | null | undefined }

const ProjectLimit = z
  .object({
    limit: z.number().nullable().describe('What holds: the lower one of `own_limit` and `server_limit`. Null: nothing does'),
    own_limit: z.number().nullable().describe('Set for this project. Null: none'),
    server_limit: z.number().nullable().describe('Set by the operator of the server for each project. Null: none'),
    used: z.number().nullable().describe('Counted while a limit holds. Null where none does'),
    left: z.number().nullable().describe('What is left now. Null where no limit holds'),
  })
  .meta({ id: 'ProjectLimit' })
export type ProjectLimit = z.output<typeof ProjectLimit>

const perMinute = 'and at once no more than 5 % of them and one'

/** Limits of a project and their current usage. */
export const ProjectLimits = z
  .object({
    requests_per_minute: ProjectLimit.describe(`Requests in any 60 s, ${perMinute}. \`used\`: about those of the last minute`),
    requests_per_minute_per_key: ProjectLimit.describe(
      `Requests with one API key in any 60 s, ${perMinute}. \`used\` and \`left\` are those of the key of this request`,
    ),
    ingested_bytes_per_day: ProjectLimit.describe('Bytes of the unpacked bodies of accepted writes of a day, which begins at midnight UTC'),
  })
  .meta({ id: 'ProjectLimits' })
export type ProjectLimits = z.output<typeof ProjectLimits>

/** Most requests a minute that a limit can be set to. */
export const maxRequestsPerMinute = 1_000_000
/** Most bytes a day that a limit can be set to: a PiB. */
export const maxIngestedBytesPerDay = 2 ** 50

const requests = (whose: string) =>
  lenientIntBetween(1, maxRequestsPerMinute)
    .nullish()
    .describe(`Requests ${whose} in any 60 s, 1 to 1,000,000. Null: no limit. Absent: as it is`)

/** Limits to set. */
export const limitChanges = {
  requests_per_minute: requests('to the project'),
  requests_per_minute_per_key: requests('to the project with one API key'),
  ingested_bytes_per_day: lenientIntBetween(1, maxIngestedBytesPerDay)
    .nullish()
    .describe('Bytes of the unpacked bodies of accepted writes of a day in UTC, 1 to 2^50. Null: no limit. Absent: as it is'),
}
