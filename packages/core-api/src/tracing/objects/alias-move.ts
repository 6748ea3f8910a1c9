import { z } from 'zod'
import { TimestampText } from '../../shapes/timestamp.ts'

/** A change of what an alias of an object points to. */
export const AliasMove = z
  .object({
    alias: z.string(),
    from_digest: z.string().nullable().describe('Version it pointed to. Null: to none, or set before the server kept a history'),
    to_digest: z.string().nullable().describe('Version it points to since. Null: the alias was removed, by itself or with its version'),
    wb_user_id: z.string().describe('User who set, moved or removed it'),
    moved_at: TimestampText,
  })
  .meta({ id: 'AliasMove' })
export type AliasMove = z.output<typeof AliasMove>
