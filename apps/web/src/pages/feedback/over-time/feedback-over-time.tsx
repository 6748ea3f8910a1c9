import '../../training/training.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rangeTitles, type TimeRange } from '../../../app/time-range.ts'
import { useProject } from '../../../app/use-project.ts'
import { BarsOverTime } from '../../../components/bars-over-time.tsx'
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
  const most = Math.max(...given.map(({ count }) => count))
  return (
    <figure className="over-time">
      <BarsOverTime height={height} newest={given.at(-1)?.startedAt}>
        {given.map((part) => (
          <Bar key={part.startedAt} part={part} most={most} />
        ))}
      </BarsOverTime>
      <figcaption className="muted">{`The highest bar is ${most.toLocaleString('en')}; all together are ${total.toLocaleString('en')}. Times are in UTC.`}</figcaption>
    </figure>
  )
}

function Bar({ part: { startedAt, endedAt, count }, most }: { part: GivenCount; most: number }) {
  const { entity, project } = useProject()
  if (count === 0) return <span className="time-bar" />
  const text = `${count.toLocaleString('en')} from ${startedAt}`
  return (
    <Link
      to="/$entity/$project/feedback"
      params={{ entity, project }}
      search={(before) => ({ ...before, from: startedAt, to: endedAt })}
      className="time-bar"
      title={text}
      aria-label={text}
    >
      <span className="time-bar-part" style={{ height: Math.ceil((count / most) * height) }} />
    </Link>
  )
}
