import type { TracedCall } from '../traces/traced-call.ts'

const begin = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A call of ten milliseconds that starts `startMs` after the others; `tokens` go into its summary. */
export function aCall({ startMs = 0, tokens, ...call }: Partial<TracedCall> & { startMs?: number; tokens?: number } = {}): TracedCall {
  return {
    id: 'c1',
    trace_id: 't1',
    parent_id: null,
    op_name: 'op',
    display_name: null,
    started_at: new Date(begin + startMs).toISOString(),
    ended_at: new Date(begin + startMs + 10).toISOString(),
    exception: null,
    summary: tokens === undefined ? {} : { usage: { model: { total_tokens: tokens } } },
    ...call,
  }
}
