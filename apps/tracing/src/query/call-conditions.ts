import { sql } from '@heddle/datastore'

/** The call failed. */
export const isFailed = sql`ifNull(exception, '') != ''`

/**
 * The usage of the call is not counted in another call's usage: clients add usage up in the root of a trace, but the parents of
 * spans from OpenTelemetry do not hold that of their children.
 */
export const isUsageRoot = sql`(parent_id = '' OR otel != '')`
