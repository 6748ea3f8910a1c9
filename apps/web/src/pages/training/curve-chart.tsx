import { type Curve, smooth, thin } from './step-metrics.ts'

const width = 320
const height = 120
const pad = 4
const maxPoints = 300
const smoothing = 0.8

const text = (value: number) => String(Number(value.toPrecision(4)))

interface Properties {
  curve: Curve
  /** The step that is shown below. */
  selected: number | undefined
  onSelect: (step: number) => void
}

/** A metric over steps: the values faint, their average strong, and the selected step as a line. Its caption says the range and the last value. */
export function CurveChart({ curve: { name, points }, selected, onSelect }: Properties) {
  const thinned = thin(points, maxPoints)
  const [low, high] = [Math.min(...thinned.map((one) => one.low)), Math.max(...thinned.map((one) => one.high))]
  const [first, last] = [points[0]?.step ?? 0, points.at(-1)?.step ?? 0]
  const x = (step: number) => pad + ((step - first) / Math.max(1, last - first)) * (width - 2 * pad)
  const y = (value: number) => height - pad - (high === low ? 0.5 : (value - low) / (high - low)) * (height - 2 * pad)
  const line = (values: readonly number[]) => thinned.map(({ step }, at) => `${x(step)},${y(values[at] ?? low)}`).join(' ')
  const isThinned = thinned.length < points.length
  const band = [
    ...thinned.map((one) => `${x(one.step)},${y(one.high)}`),
    ...thinned.toReversed().map((one) => `${x(one.step)},${y(one.low)}`),
  ].join(' ')

  function select(clientX: number, element: Element) {
    const { left, width: shown } = element.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, ((clientX - left) / shown) * width - pad) / (width - 2 * pad))
    onSelect(Math.round(first + share * (last - first)))
  }

  return (
    <figure className="curve">
      <figcaption>
        <strong>{name}</strong> last {text(points.at(-1)?.value ?? 0)}, from {text(low)} to {text(high)} in{' '}
        {points.length === 1 ? '1 step' : `${points.length.toLocaleString('en')} steps`}
        {isThinned && '; several steps to a point, with their range as a band'}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${name} over steps ${first} to ${last}`}
        onClick={({ clientX, currentTarget }) => select(clientX, currentTarget)}
      >
        {isThinned && <polygon points={band} fill="currentColor" opacity="0.15" />}
        <polyline points={line(thinned.map((one) => one.last))} fill="none" stroke="currentColor" strokeWidth="1" opacity="0.4" />
        <polyline
          points={line(
            smooth(
              thinned.map((one) => one.last),
              smoothing,
            ),
          )}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        />
        {points.length === 1 && <circle cx={width / 2} cy={height / 2} r="3" fill="currentColor" />}
        {selected !== undefined && selected >= first && selected <= last && (
          <line x1={x(selected)} x2={x(selected)} y1="0" y2={height} stroke="currentColor" strokeDasharray="3 3" />
        )}
      </svg>
    </figure>
  )
}
