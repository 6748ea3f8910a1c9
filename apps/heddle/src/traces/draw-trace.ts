import { displayNameOf } from '@heddle/core-api'
import { formatDuration, formatTime } from '../terminal/measures.ts'
import { shorten, toTerminalText } from '../terminal/terminal-text.ts'
import { durationOf, startOf, type TracedCall } from './traced-call.ts'
import { type Step, toTree, tokensOf, type TreeNode, walk } from './trace-tree.ts'

const maxNameWidth = 72
const maxErrorLength = 400

interface Line {
  name: string
  start: string
  duration: string
  tokens: string
  /** A line of its own under the call. */
  error: string | undefined
}

/** A trace as a tree: one line for each call with its start in the trace, its length and its tokens, and the error under it. */
export function drawTrace(calls: readonly TracedCall[]): string {
  const roots = toTree(calls)
  const first = roots[0]
  if (!first) return 'no calls'
  const begin = startOf(first.call)
  const tokens = tokensOf(roots)
  const lines = [...walk(roots)].map((step) => toLine(step, { begin, tokens: tokens.get(step.node) }))
  return [heading(roots, begin), ...align(lines)].join('\n')
}

function heading(roots: readonly TreeNode[], begin: number): string {
  const calls = [...walk(roots)].map(({ node }) => node.call)
  const failed = calls.filter((call) => call.exception).length
  const parts = [
    `trace ${toTerminalText(roots[0]?.call.trace_id ?? '')}`,
    `${formatTime(begin)} UTC`,
    calls.length === 1 ? '1 call' : `${calls.length} calls`,
    ...(failed > 0 ? [failed === 1 ? '1 error' : `${failed} errors`] : []),
  ]
  return parts.join(' · ')
}

function toLine({ node, lead, below }: Step, { begin, tokens }: { begin: number; tokens: number | undefined }): Line {
  const { call } = node
  const duration = durationOf(call)
  const offset = startOf(call) - begin
  return {
    name: lead + shorten(toTerminalText(displayNameOf(call)), maxNameWidth),
    start: offset === 0 ? '' : `${offset < 0 ? '' : '+'}${formatDuration(offset)}`,
    duration: duration === undefined ? 'running' : formatDuration(duration),
    tokens: tokens === undefined ? '' : `${tokens} tokens`,
    error: call.exception ? `${below}${node.children.length > 0 ? '│ ' : '  '}✗ ${errorOf(call.exception)}` : undefined,
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
