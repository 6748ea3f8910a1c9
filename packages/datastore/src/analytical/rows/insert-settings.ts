import type { ClickHouseSettings } from '@clickhouse/client'
import type { RowForm } from './row-columns.ts'

/**
 * Settings of every insert: strings that look like times or numbers remain strings, one insert may have rows of any number of months, and a duplicate
 * path in an index does not reject its row.
 */
export const insertSettings = {
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  input_format_json_try_infer_numbers_from_strings: 0,
  type_json_skip_duplicated_paths: 1,
  max_partitions_per_insert_block: '0',
} as const satisfies ClickHouseSettings

export const jsonAsTextSetting = 'input_format_binary_read_json_as_string'

/** Settings for an insert of rows in this format. */
export function insertSettingsFor({ jsonIsText }: RowForm): ClickHouseSettings {
  return { ...insertSettings, [jsonAsTextSetting]: jsonIsText ? 1 : 0 }
}
