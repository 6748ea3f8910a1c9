import { numberText } from './number-text.ts'
import { toBins } from './histogram-bins.ts'

const height = 60
const barWidth = 22
const gap = 3

/** How the values of rows are distributed, with the counts as text for those who do not see the bars. */
export function Histogram({ name, values, isRate }: { name: string; values: readonly number[]; isRate: boolean }) {
  const bins = toBins(values)
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const label = bins.map(
    ({ low, high, count }) =>
      `${low === high ? numberText(low, isRate) : `${numberText(low, isRate)} to ${numberText(high, isRate)}`}: ${count}`,
  )
  if (bins.length === 0) return <p className="muted">No row has a value.</p>
  return (
    <svg
      role="img"
      aria-label={`Rows by ${name}. ${label.join('; ')}`}
      width={bins.length * (barWidth + gap)}
      height={height}
      className="score-histogram"
    >
      {bins.map(({ low, count }, at) => {
        const size = count === 0 ? 0 : Math.max(2, (count / most) * height)
        return (
          <rect key={low} x={at * (barWidth + gap)} y={height - size} width={barWidth} height={size} fill="currentColor">
            <title>{label[at]}</title>
          </rect>
        )
      })}
    </svg>
  )
}
