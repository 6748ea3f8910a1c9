import { numberText } from './number-text.ts'

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** A bar of `width` characters for a share from 0 to 1. */
export function drawBar(share: number, width: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

/** The values as a curve of at most `width` characters; each is the mean of its values. Empty without any. */
export function drawCurve(values: readonly number[], width: number): string {
  const count = Math.min(values.length, width)
  const points = Array.from({ length: count }, (_, at) =>
    meanOf(values.slice(Math.floor((at * values.length) / count), Math.floor(((at + 1) * values.length) / count))),
  )
  const low = Math.min(...points)
  const span = Math.max(...points) - low
  return points.map((point) => blocks[span === 0 ? 0 : Math.round(((point - low) / span) * (blocks.length - 1))]).join('')
}

export interface ProgressFacts {
  steps: number
  total: number
  /** Of each gradient step. */
  losses: readonly number[]
}

/** One line: how far a job is, and how its loss went. */
export function drawProgress({ steps, total, losses }: ProgressFacts): string {
  const share = total === 0 ? 1 : steps / total
  const loss = losses.at(-1)
  const curve = loss === undefined ? '' : `  loss ${numberText(loss)}  ${drawCurve(losses, 20)}`
  return `${drawBar(share, 20)}  ${steps}/${total} gradient steps${curve}`
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
