import { Score, Tag } from '../../ui/badge.tsx'
import type { RowScore } from './row-score.ts'

/** A score without the prefix of its source. */
const shortName = (name: string) => name.split('.').at(-1) ?? name

/** A score as text. */
const wordsOfScore = (score: RowScore) => (score.kind === 'score' ? `${score.name} ${String(score.value)}` : score.emoji)

/** Distinguishes the scores of one call. */
export const keyOfScore = (score: RowScore) => (score.kind === 'score' ? score.name : score.emoji)

/** A score or a reaction, as short as a mark on a row. */
export function ScoreMark({ score, isNamed = true }: { score: RowScore; isNamed?: boolean }) {
  if (score.kind === 'reaction') return <span>{score.emoji}</span>
  const { value } = score
  const name = isNamed ? shortName(score.name) : ''
  if (typeof value === 'string') return <Tag>{`${name} ${value}`.trim()}</Tag>
  // For a score beyond 0 to 1 it is unknown which values are good.
  if (typeof value === 'number' && (value < 0 || value > 1)) return <Tag>{`${name} ${Number(value.toPrecision(3))}`.trim()}</Tag>
  return <Score {...(isNamed && { name })} value={value} />
}

/** Some scores on one line, the first of them drawn and all of them in words. */
export function ScoreMarks({ scores, shown, isNamed = true }: { scores: readonly RowScore[]; shown: number; isNamed?: boolean }) {
  const others = scores.length - shown
  return (
    <span className="flex items-center gap-1 overflow-hidden" data-tip={scores.map(wordsOfScore).join(', ')} data-place="top">
      {scores.slice(0, shown).map((score) => (
        <ScoreMark key={keyOfScore(score)} score={score} isNamed={isNamed} />
      ))}
      {others > 0 && <span className="text-xs text-fg-3">+{others}</span>}
    </span>
  )
}
