import { BadRequest } from './engine-request.ts'
import { quoteText } from '../quote.ts'

/** Settings that a statement may set. */
const allowed = new Set([
  'readonly',
  'max_execution_time',
  'max_memory_usage',
  'max_result_rows',
  'max_result_bytes',
  'max_block_size',
  'max_threads',
  'mutations_sync',
  'session_timezone',
  'distributed_product_mode',
  'do_not_merge_across_partitions_select_final',
  'optimize_read_in_order',
  'output_format_json_quote_64bit_integers',
  'output_format_json_escape_forward_slashes',
  'output_format_parquet_string_as_string',
  'output_format_parquet_compression_method',
  'output_format_parquet_row_group_size',
])
/** Settings that are ignored: closing the connection cancels the statement anyway, and one engine alone has no replicas to wait for. */
const meaningless = new Set([
  'cancel_http_readonly_queries_on_client_close',
  'select_sequential_consistency',
  'insert_quorum',
  'insert_quorum_parallel',
  'insert_quorum_timeout',
  'distributed_foreground_insert',
])
const taking = new Set(['SELECT', 'WITH', 'INSERT', 'ALTER', 'DELETE'])

/**
 * The SETTINGS clause for a statement; '' if it has none.
 * @throws BadRequest for an unknown setting.
 */
export function settingsClause(verb: string, settings: ReadonlyMap<string, string>): string {
  for (const name of settings.keys())
    if (!allowed.has(name) && !meaningless.has(name)) throw new BadRequest(115, `setting ${JSON.stringify(name)} is not allowed`)
  const own = [...settings].filter(([name]) => !meaningless.has(name))
  if (own.length === 0 || !taking.has(verb)) return ''
  const pairs = own.map(([name, value]) => `${name}=${/^[0-9]{1,19}$/.test(value) ? value : quoteText(value)}`)
  return ` SETTINGS ${pairs.join(', ')}`
}
