/** Seconds for which a replaced part stays beside its successor, where the engine syncs all files of the successor. */
export const replacedPartSeconds = 0

/**
 * Settings of every table. A part is on disk before rows in it are acknowledged, and before the engine removes the parts that it replaces:
 * inserts, merges, mutations and fetches from a replica sync its files, then its name. Without that a power cut within the write-back time
 * of the system takes rows that were acknowledged long before. Replaced parts give their room back within ten seconds.
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
