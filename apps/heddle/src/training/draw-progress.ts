import { formatDuration } from '../terminal/measures.ts'
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
  /** Mean reward of each earlier job of the model, the oldest first. */
  rewards: readonly number[]
  /** Held-out loss: before the job, and after each pass. */
  heldOut?: readonly number[]
  /** Speed of the last gradient step. */
  tokensPerSecond?: number
  /** Microseconds that are left, while there are steps to make. */
  leftMicros?: number
}

const curveWidth = 20

/** One line: how far a job is, how its loss went, and the rewards of the jobs before it. */
export function drawProgress({ steps, total, losses, rewards, heldOut = [], tokensPerSecond, leftMicros = 0 }: ProgressFacts): string {
  const share = total === 0 ? 1 : steps / total
  return [
    `${drawBar(share, 20)}  ${steps}/${total} gradient steps`,
    ...drawNamed('loss', losses),
    ...drawNamed('held-out loss', heldOut),
    ...drawNamed('reward', rewards),
    ...(tokensPerSecond === undefined ? [] : [`${Math.round(tokensPerSecond)} tokens/s`]),
    ...(leftMicros > 0 ? [`${formatDuration(leftMicros)} left`] : []),
  ].join('  ')
}

/** The last value under its name, with the curve up to it. Nothing without values. */
export function drawNamed(name: string, values: readonly number[]): string[] {
  const last = values.at(-1)
  return last === undefined ? [] : [`${name} ${numberText(last)}  ${drawCurve(values, curveWidth)}`]
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
