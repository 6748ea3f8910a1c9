import { z } from 'zod'
import { TimestampText } from '../shapes/timestamp.ts'

/** The server's data on disk, and the time of its last backup. */
export const ServiceStorage = z.object({
  parts: z
    .array(
      z.object({
        name: z
          .enum(['calls', 'records', 'files', 'scratch', 'other'])
          .describe('`calls`: also feedback and rows of tables. `scratch`: what can be made again, and uploads that are not complete'),
        bytes: z.int().min(0),
      }),
    )
    .nullable()
    .describe('Contents of the data folder with their sizes, read at most once a minute. Null if not configured'),
  is_complete: z.boolean().describe('False: the folder has so many files that not all were added up'),
  last_backup: z
    .object({ ended_at: TimestampText, bytes: z.int().min(0).describe('Of the backup') })
    .nullable()
    .describe('The last one that `heddle backup` made of the data folder. Null: it has made none. Other tools leave no trace here'),
})
