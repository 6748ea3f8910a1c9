import { z } from 'zod'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'

export const ProjectDeletionsQuery = z.object({
  project_id: ProjectId,
  limit: orDefault(lenientIntBetween(1, 1_000), 100).describe('Deletions to return, 1 to 1000'),
})

/** A deletion of more records than a request removes: none of them is found any more, and a job removes them from the store. */
export const ProjectDeletion = z
  .object({
    id: z.string().describe('Id of the deletion'),
    kind: z.enum(['calls', 'feedback', 'object_versions']).describe('Which records it deletes'),
    deleted_at: TimestampText.describe('Since when no operation finds them'),
    total: z.number().describe('Records that were there when it began'),
    removed: z.number().describe('Records that were removed from the store so far, including calls that arrived since it began'),
    ended_at: TimestampText.nullable().describe('When the last record was removed. Null while records are removed'),
  })
  .meta({ id: 'ProjectDeletion' })
export type ProjectDeletion = z.output<typeof ProjectDeletion>
