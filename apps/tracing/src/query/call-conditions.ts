import { sql } from '@heddle/datastore'

/** The call failed. */
export const isFailed = sql`ifNull(exception, '') != ''`
