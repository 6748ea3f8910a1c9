import { displayNameOf } from '@heddle/core-api'
import { costSourceText, type SettledCall, type SettledCalls, settleCalls } from '@heddle/trace-model'
import type { Clock } from '../terminal/clock.ts'
import { formatDuration } from '../terminal/measures.ts'
import { shorten, toTerminalText } from '../terminal/terminal-text.ts'
import { numberText } from '../training/number-text.ts'
import { durationOf, startOf, type TracedCall } from './traced-call.ts'
import { type Step, walk } from './walk-tree.ts'

const maxNameWidth = 72
const maxErrorLength = 400

interface Line {
  name: string
  start: string
  duration: string
  tokens: string
  /** A separate line under the call. */
  error: string | undefined
}

/** A trace as a tree below what it cost: one line for each call with its start in the trace, its length and its tokens, and the error under it. */
export function drawTrace(calls: readonly TracedCall[], clock: Clock): string {
  const { roots, totals, trace } = settleCalls(calls)
  const first = roots[0]
  if (!first) return 'no calls'
  const begin = startOf(first.call.call)
  const lines = [...walk(roots)].map((step) => toLine(step, { begin, tokens: totals.get(step.node.call.id)?.tokens || undefined }))
  const cost = costOf(roots.flatMap(({ call }) => totals.get(call.id) ?? []))
  const head = heading(first.call.call, { trace, cost: cost?.text }, clock.wholeText(begin))
  return [head, ...align(lines), ...(trace?.notes ?? []).map(toNoteLine), ...(cost?.notes ?? [])].join('\n')
}

type Total = NonNullable<ReturnType<SettledCalls<TracedCall>['totals']['get']>>

/** What calls cost together, with a mark that a note explains where that is not all at the prices of the names of their models. */
function costOf(totals: readonly Total[]): { text: string; notes: string[] } | undefined {
  const costs = totals.flatMap(({ cost }) => cost ?? [])
  if (costs.length === 0) return undefined
  const source = costSourceText({
    pricedAs: [...new Set(totals.flatMap(({ pricedAs }) => pricedAs))].toSorted(),
    reported: totals.reduce((sum, { reportedUses }) => sum + reportedUses, 0),
  })
  const sum = numberText(costs.reduce((total, cost) => total + cost, 0))
  return source === undefined ? { text: `cost ${sum}`, notes: [] } : { text: `cost ${sum}*`, notes: [`* ${toTerminalText(source)}`] }
}

function heading(
  first: TracedCall,
  { trace, cost }: { trace: SettledCalls<TracedCall>['trace']; cost: string | undefined },
  began: string,
): string {
  const { calls = 0, errors: failed = 0 } = trace ?? {}
  const parts = [
    `trace ${toTerminalText(first.trace_id)}`,
    began,
    calls === 1 ? '1 call' : `${calls} calls`,
    ...(failed > 0 ? [failed === 1 ? '1 error' : `${failed} errors`] : []),
    ...(cost === undefined ? [] : [cost]),
  ]
  return parts.join(' · ')
}

function toLine(
  { node, lead, below }: Step<SettledCall<TracedCall>>,
  { begin, tokens }: { begin: number; tokens: number | undefined },
): Line {
  const { call } = node.call
  const duration = durationOf(call)
  const offset = startOf(call) - begin
  return {
    name: lead + shorten(toTerminalText(displayNameOf(call)), maxNameWidth) + (node.isOrphan ? ' (parent missing)' : ''),
    start: offset === 0 ? '' : `${offset < 0 ? '' : '+'}${formatDuration(offset)}`,
    duration: duration === undefined ? 'running' : formatDuration(duration),
    tokens: tokens === undefined ? '' : `${tokens} tokens`,
    error: call.exception ? `${below}${node.children.length > 0 ? '│ ' : '  '}✗ ${errorOf(call.exception)}` : undefined,
  }
}

/** What a trace says of numbers that may surprise. */
function toNoteLine(note: NonNullable<SettledCalls<TracedCall>['trace']>['notes'][number]): string {
  const id = toTerminalText(note.callId)
  switch (note.note) {
    case 'reports_more':
      return `Call ${id} reports ${note.reported} tokens, ${note.counted} count below it: part of what it did may not be instrumented.`
    case 'similar_requests':
      return `Calls ${id} and ${toTerminalText(note.otherId)} report ${note.reported} and ${note.other} tokens: both count, though they may be one request.`
    case 'several_threads':
      return `Call ${id} names another thread, ${toTerminalText(note.threadId)}.`
  }
}

function errorOf(exception: string): string {
  return shorten(toTerminalText(exception), maxErrorLength)
}

function align(lines: readonly Line[]): string[] {
  const width = (key: 'name' | 'start' | 'duration' | 'tokens') => Math.max(...lines.map((line) => [...line[key]].length))
  const [name, start, duration, tokens] = [width('name'), width('start'), width('duration'), width('tokens')]
  return lines.flatMap((line) => {
    const gap = ' '.repeat(name - [...line.name].length)
    const columns = [line.start.padStart(start), line.duration.padStart(duration), line.tokens.padStart(tokens)]
    const row = `${line.name}${gap}  ${columns.join('  ')}`.trimEnd()
    return line.error === undefined ? [row] : [row, line.error]
  })
}
