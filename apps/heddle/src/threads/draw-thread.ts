import { parseTimestamp } from '@heddle/core-api'
import type { Thread } from '@heddle/core-api/types'
import { messagesOfTurn, toChatMessages } from '@heddle/trace-model'
import type { Clock } from '../terminal/clock.ts'
import { formatDuration } from '../terminal/measures.ts'
import { formatTable } from '../terminal/table.ts'
import { shorten, toTerminalText } from '../terminal/terminal-text.ts'
import { drawMessages } from '../training/draw-messages.ts'
import { numberText } from '../training/number-text.ts'
import type { NamedTurn } from './read-threads.ts'

const maxNameWidth = 72
const maxErrorLength = 400

/** Threads as a table, one line each. */
export function formatThreads(threads: readonly Thread[], clock: Clock): string {
  const head = [`UPDATED (${clock.zone})`, 'TURNS', 'MEDIAN', 'THREAD']
  const rows = threads.map(({ thread_id, turn_count, last_updated, p50_turn_duration_ms: median }) => [
    clock.text(microsOf(last_updated)),
    String(turn_count),
    median === null ? '' : formatDuration(median * 1_000),
    toTerminalText(thread_id),
  ])
  return formatTable({ head, rows, right: ['TURNS', 'MEDIAN'] })
}

/** A thread as a conversation: for each turn a line with the totals of its trace, its error, and its messages. */
export function drawThread(threadId: string, turns: readonly NamedTurn[], clock: Clock): string {
  const heading = [`thread ${toTerminalText(threadId)}`, turns.length === 1 ? '1 turn' : `${turns.length} turns`].join(' · ')
  return [heading, ...turns.map((turn) => drawTurn(turn, clock))].join('\n\n')
}

function drawTurn(turn: NamedTurn, clock: Clock): string {
  const { tokens, cost, status, exception, is_behind, is_parent_missing, unpriced_uses } = turn
  const name = `${shorten(toTerminalText(turn.name), maxNameWidth)}${is_parent_missing ? ' (parent missing)' : ''}`
  const parts = [
    clock.wholeText(microsOf(turn.started_at)),
    name,
    durationOf(turn),
    ...(tokens ? [`${is_behind ? '>' : ''}${tokens} tokens`] : []),
    ...(cost === null ? [] : [`cost ${numberText(cost)}${unpriced_uses > 0 ? ' in part' : ''}`]),
    ...(status === 'descendant_error' ? ['error below'] : []),
    toTerminalText(turn.trace_id),
  ]
  const messages = toChatMessages(messagesOfTurn([...turn.input, ...turn.output]))
  return [
    parts.join(' · '),
    ...(exception ? [`✗ ${shorten(toTerminalText(exception), maxErrorLength)}`] : []),
    ...drawMessages(messages.map((message) => ({ ...message }))),
  ].join('\n')
}

function durationOf({ started_at, ended_at }: NamedTurn): string {
  return ended_at === null ? 'running' : formatDuration(microsOf(ended_at) - microsOf(started_at))
}

const microsOf = (timestamp: string) => parseTimestamp(timestamp) ?? 0
