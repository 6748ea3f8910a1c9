import { mayBeChance, ScoreChange, scoreOfStep } from '../../features/checkpoint-scores/score-change.tsx'
import type { ObjectVersion } from '../../features/library/library-queries.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { numberText } from '../../lib/texts/number-text.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { Delta } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { type StatItem, Stats } from '../../ui/stat.tsx'
import { type MeasuredVersion, measuredVersion } from './measured-version.ts'
import type { PromptScores, PromptScoresState } from './use-prompt-scores.ts'

type Version = Pick<ObjectVersion, 'version_index'>

interface Properties {
  state: PromptScoresState
  shown: Version
  /** Another version, which is in production. */
  production: Version
}

const shownScores = 3

/** Scores, latency and cost of a version of a prompt and how they differ from those of the version in production, by the newest run of each. */
export function MeasuredAgainst({ state: { isPending, scores }, shown, production }: Properties) {
  const names = [shown, production].map(({ version_index }) => `v${version_index}`).join(' and ')
  const items = scores ? itemsOf(scores, shown.version_index, production.version_index) : []
  return (
    <section aria-label="Measured against production" aria-busy={isPending}>
      <h3 className="mb-2 flex items-baseline gap-2 font-semibold whitespace-nowrap">
        Measured against production
        <span className="truncate text-xs font-normal text-fg-3">{scores ? `${names} on ${scores.evaluation}` : names}</span>
      </h3>
      {isPending ? (
        <Skeleton className="h-22" />
      ) : items.length > 0 ? (
        <Stats basis="basis-36" items={items} />
      ) : (
        <p className="text-fg-3">No evaluation has scored both.</p>
      )}
    </section>
  )
}

function itemsOf({ all, summaries }: PromptScores, shown: number, production: number): StatItem[] {
  const both = all.flatMap((series) => {
    const [point, before] = [shown, production].map((version) => scoreOfStep(series.points, version).point)
    return point && before ? [{ series, point, before }] : []
  })
  const [first] = both
  if (!first) return []
  const [of, against] = [first.point.run, first.before.run].map((run) => measuredVersion(run, summaries.get(run.id)))
  return [
    ...both.slice(0, shownScores).map(({ series, point, before }) => ({
      name: series.name,
      value: numberText(point.value, series.isRate),
      note: (
        <>
          <ScoreChange score={series} point={point} before={before} />
          {mayBeChance(point, before) && ', may be chance'}
        </>
      ),
    })),
    itemOf('Latency', 'latencyMs', { of, against, text: formatDuration }),
    itemOf('Cost per trial', 'costPerTrial', { of, against, text: formatCost }),
  ].flatMap((item) => item ?? [])
}

interface VersionPair {
  of: MeasuredVersion | undefined
  against: MeasuredVersion | undefined
  text: (value: number) => string
}

/** Undefined where it is not known of the version. */
function itemOf(name: string, key: keyof MeasuredVersion, { of, against, text }: VersionPair): StatItem | undefined {
  const [value, before] = [of?.[key], against?.[key]]
  if (value === undefined) return undefined
  const change = before === undefined ? 0 : value - before
  return { name, value: text(value), note: change !== 0 && <Delta value={change} text={text(Math.abs(change))} good="down" /> }
}
