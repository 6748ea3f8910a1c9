import type { ClickHouseSettings } from '@clickhouse/client'
import type { RowForm } from './row-columns.ts'

/**
 * What every insert of rows needs, wherever it runs: texts that look like times or numbers stay texts, one insert may hold rows of any month,
 * and a name that stands twice in an index is no reason to refuse its row.
 */
export const insertSettings = {
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  input_format_json_try_infer_numbers_from_strings: 0,
  type_json_skip_duplicated_paths: 1,
  max_partitions_per_insert_block: '0',
} as const satisfies ClickHouseSettings

export const jsonAsTextSetting = 'input_format_binary_read_json_as_string'

/** What an insert of rows of that form needs. */
export function settingsOfRows({ jsonIsText }: RowForm): ClickHouseSettings {
  return { ...insertSettings, [jsonAsTextSetting]: jsonIsText ? 1 : 0 }
}
