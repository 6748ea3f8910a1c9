import '../../training/training.css'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { rangeTitles, type TimeRange } from '../../../app/time-range.ts'
import { useProject } from '../../../app/use-project.ts'
import { FigureOverTime } from '../../../components/bars-over-time/figure-over-time.tsx'
import { ShowQuery } from '../../../components/show-query.tsx'
import { feedbackOverTimeQuery } from './feedback-over-time-query.ts'
import type { GivenCount } from './read-value-series.ts'
import { ValueChart } from './value-chart.tsx'

const height = 64

/** How much feedback was given over time, and what the values of the chosen type were. Each bar leads to its feedback. */
export function FeedbackOverTime({ range, type }: { range: TimeRange; type: string | undefined }) {
  const { id } = useProject()
  return (
    <ShowQuery query={useQuery(feedbackOverTimeQuery(id, range, type))} what="feedback over time">
      {({ given, values, left_out }) => {
        const total = given.reduce((sum, { count }) => sum + count, 0)
        const [first, last] = [given[0], given.at(-1)]
        if (total === 0 || !first || !last) return <p className="muted">{`None in the last ${rangeTitles[range]}.`}</p>
        return (
          <>
            <Given given={given} total={total} />
            <div className="curves">
              {values.map((series) => (
                <ValueChart
                  key={series.path}
                  series={series}
                  range={{ start: Date.parse(first.startedAt), end: Date.parse(last.endedAt) }}
                />
              ))}
            </div>
            {left_out > 0 && <p className="notice">{`${left_out} more values of these payloads are not drawn.`}</p>}
            {type === undefined && <p className="muted">Choose a type to see its values over time.</p>}
          </>
        )
      }}
    </ShowQuery>
  )
}

function Given({ given, total }: { given: readonly GivenCount[]; total: number }) {
  const { entity, project } = useProject()
  const search = useSearch({ from: '/$entity/$project/feedback' })
  const count = (of: number) => of.toLocaleString('en')
  const most = Math.max(...given.map((part) => part.count))
  const parts = given.map((part) => ({
    ...part,
    sections: [{ value: part.count }],
    text: count(part.count),
    link: {
      to: '/$entity/$project/feedback',
      params: { entity, project },
      search: { ...search, from: part.startedAt, to: part.endedAt },
    } as const,
  }))
  return <FigureOverTime parts={parts} height={height} caption={`The highest bar is ${count(most)}; all together are ${count(total)}.`} />
}
