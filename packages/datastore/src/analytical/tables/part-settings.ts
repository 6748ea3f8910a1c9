/** Seconds for which a replaced part is kept when the engine syncs all files of its successor. */
export const replacedPartSeconds = 0

/**
 * Settings of every table. A part is durable before its rows are acknowledged, and before the engine removes the parts that it replaces:
 * inserts, merges, mutations and fetches from a replica sync its files, then its folder entry. Otherwise a power cut within the write-back time
 * of the system could lose rows acknowledged long before. Replaced parts are deleted within ten seconds.
 */
export const partSettings = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_fetch: 1,
  old_parts_lifetime: replacedPartSeconds,
  cleanup_delay_period: 5,
  max_cleanup_delay_period: 10,
  cleanup_delay_period_random_add: 0,
} as const

/**
 * Bytes of rows, unpacked, after which a granule of a part ends: the smallest unit that is read, so each row of a page that lies apart costs one of them.
 * Small rows reach the number of rows of their table first. Part of the definition of calls; the embedded engine has it as its default too, for
 * tables that were made before: no statement may change it. Parts get it as they are written or merged.
 */
export const granuleBytes = 1_048_576
