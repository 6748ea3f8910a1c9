import { numberText } from '../../evaluations/charts/number-text.ts'
import type { ValueSeries } from './read-value-series.ts'

const [width, height, pad] = [320, 100, 8]

/** The values at a path over time: their mean as a line, their lowest and highest as a band. Rates are drawn from 0 to 1. */
export function ValueChart({ series: { path, isRate, points }, range }: { series: ValueSeries; range: { start: number; end: number } }) {
  const low = Math.min(...points.map((point) => point.low))
  const high = Math.max(...points.map((point) => point.high))
  const x = (at: string) => pad + ((Date.parse(at) - range.start) / (range.end - range.start)) * (width - 2 * pad)
  const y = (value: number) => height - pad - (high === low ? 0.5 : (value - low) / (high - low)) * (height - 2 * pad)
  const text = (value: number) => numberText(value, isRate)
  const count = points.reduce((sum, point) => sum + point.count, 0)
  const last = points.at(-1)
  return (
    <figure className="curve">
      <figcaption>
        <strong>{path}</strong> {isRate ? 'rate' : 'mean'} last {text(last?.mean ?? 0)}
        {!isRate && `, values from ${text(low)} to ${text(high)}`}, n = {count.toLocaleString('en')}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${path} over time: ${points.map(({ startedAt, mean }) => `${startedAt} ${text(mean)}`).join(', ')}`}
      >
        {!isRate &&
          points.map(({ startedAt, low: from, high: to }) => (
            <line
              key={startedAt}
              x1={x(startedAt)}
              x2={x(startedAt)}
              y1={y(from)}
              y2={y(to)}
              stroke="currentColor"
              strokeWidth="6"
              opacity="0.2"
            />
          ))}
        <polyline
          points={points.map(({ startedAt, mean }) => `${x(startedAt)},${y(mean)}`).join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        />
        {points.map(({ startedAt, mean, count: n }) => (
          <circle key={startedAt} cx={x(startedAt)} cy={y(mean)} r="4" fill="currentColor">
            <title>{`${text(mean)} of ${n.toLocaleString('en')} from ${startedAt}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  )
}
