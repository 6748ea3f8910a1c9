import { scaleLinear } from 'd3-scale'
import { cx } from '../lib/cx.ts'
import { useSize } from '../lib/use-size.ts'
import { XAxis } from './axis.tsx'
import { ticksOf } from './ticks.ts'

export interface Whisker {
  id: string
  name: string
  note: string
  value: number
  /** Ends of its interval; undefined where none is known. */
  low?: number | undefined
  high?: number | undefined
  /** The difference as it is read. */
  text: string
  /** The interval as it is read. Default: its ends on the axis. */
  intervalText?: string
  good: 'up' | 'down'
}

interface Properties {
  label: string
  rows: readonly Whisker[]
  format: (n: number) => string
  domain: [number, number]
  /** Title of the axis. */
  axis?: string
  /** Id of the row that is marked. */
  picked?: string | undefined
  /** Called with the id of a row that was pressed. */
  onPick?: (id: string) => void
}

const top = 4
/** Below this width, in pixels, names and differences are above the whiskers. */
const narrow = 480
/** Pixels beside the whiskers, at most and always. */
const [nameRoom, valueRoom] = [192, 196]

/** Whether a difference may be chance: its interval contains 0, or is unknown. Identical differences of all pairs are not chance. */
export const mayBeChance = ({ low, high }: Pick<Whisker, 'low' | 'high'>) =>
  low === undefined || high === undefined || (low <= 0 && high >= 0 && low !== high)

/** Differences from the baseline, a dot each with its 95% interval. A hollow dot may be chance. */
export function Forest({ label, rows, format, domain, axis, picked, onPick }: Properties) {
  const [ref, { width }] = useSize<HTMLDivElement>()
  const isNarrow = width < narrow
  const rowHeight = isNarrow ? 60 : 36
  const bottom = top + rows.length * rowHeight
  // Names give way before the axis does.
  const [left, right] = isNarrow ? [8, width - 8] : [Math.min(nameRoom, width * 0.36) + 16, width - valueRoom]
  /** Top and bottom of each part of a line of the grid, which leaves texts free. */
  const stretches = isNarrow ? rows.map((_, at) => [top + at * rowHeight + 38, top + (at + 1) * rowHeight]) : [[top, bottom]]
  const x = scaleLinear(domain, [left, right]).clamp(true)
  const ticks = ticksOf(x, Math.max(2, Math.min(5, Math.floor((right - left) / 48))))
  return (
    <div ref={ref}>
      {width > 0 && (
        <svg
          width={width}
          height={bottom + (isNarrow ? 40 : 24)}
          role="img"
          aria-label={label}
          className={cx('overflow-visible', onPick && 'cursor-pointer')}
          onClick={({ clientY, currentTarget }) => {
            const row = rows[Math.floor((clientY - currentTarget.getBoundingClientRect().top - top) / rowHeight)]
            if (row) onPick?.(row.id)
          }}
        >
          {rows.map(
            ({ id }, at) =>
              id === picked && (
                <rect
                  key={id}
                  x="-8"
                  y={top + at * rowHeight + 1}
                  width={width + 16}
                  height={rowHeight - 1}
                  rx="4"
                  fill="var(--selected)"
                />
              ),
          )}
          {ticks.map((tick) => (
            <path
              key={tick}
              d={stretches.map(([from, to]) => `M${Math.round(x(tick)) + 0.5},${from}V${to}`).join('')}
              stroke={tick === 0 ? 'var(--fg-3)' : 'var(--line)'}
            />
          ))}
          {rows.map((row, at) => (
            <Row
              key={row.id}
              row={row}
              y={top + at * rowHeight}
              isFirst={at === 0}
              x={x}
              height={rowHeight}
              nameWidth={isNarrow ? width - 112 : left - 24}
              right={right}
              width={width}
              format={format}
            />
          ))}
          <text x="0" y={bottom + (isNarrow ? 34 : 16)} fontSize="11" fill="var(--fg-3)">
            {axis}
          </text>
          <XAxis left={left} right={right} y={bottom} ticks={ticks.map((tick) => ({ at: x(tick), text: format(tick) }))} />
        </svg>
      )}
    </div>
  )
}

interface RowProperties {
  row: Whisker
  y: number
  isFirst: boolean
  x: (value: number) => number
  height: number
  nameWidth: number
  right: number
  width: number
  format: (n: number) => string
}

function Row({ row, y, isFirst, x, height, nameWidth, right, width, format }: RowProperties) {
  const { low, high, value } = row
  const isNarrow = width < narrow
  /** Between the two lines of text. */
  const text = isNarrow ? y + 19 : y + height / 2
  const middle = isNarrow ? y + 47 : text
  const isChance = mayBeChance(row)
  const isBetter = row.good === 'up' ? value > 0 : value < 0
  const isNothing = isChance || value === 0
  const color = isNothing ? 'var(--fg-3)' : isBetter ? 'var(--green)' : 'var(--red)'
  const interval = low === undefined || high === undefined ? 'no interval' : (row.intervalText ?? `${format(low)} to ${format(high)}`)
  return (
    <g>
      {!isFirst && <line x1="0" x2={width} y1={y + 0.5} y2={y + 0.5} stroke="var(--line)" />}
      <text x="0" y={text - 3} fontSize="13" fill="var(--fg)">
        {shortened(row.name, nameWidth / 6.6)}
        {row.name.length > nameWidth / 6.6 && <title>{row.name}</title>}
      </text>
      <text x="0" y={text + 12} fontSize="11" fill="var(--fg-3)">
        {shortened(row.note, nameWidth / 5.2)}
      </text>
      {low !== undefined && high !== undefined && (
        <>
          <line x1={x(low)} x2={x(high)} y1={middle} y2={middle} stroke={color} strokeWidth="2" />
          <path d={`M${x(low)},${middle - 4}v8M${x(high)},${middle - 4}v8`} stroke={color} strokeWidth="1.5" />
        </>
      )}
      <circle
        cx={x(value)}
        cy={middle}
        r={isNothing ? 4.5 : 5}
        fill={isNothing ? 'var(--sheet)' : color}
        stroke={isNothing ? color : undefined}
        strokeWidth="2"
      />
      <text
        x={isNarrow ? width : right + 20}
        y={isNarrow ? text - 3 : text + 4}
        textAnchor={isNarrow ? 'end' : undefined}
        fontSize="13"
        fontWeight="600"
        fill={isNothing ? 'var(--fg-2)' : isBetter ? 'var(--green-text)' : 'var(--red-text)'}
        className="num"
      >
        {row.text}
      </text>
      <text x={width} y={isNarrow ? text + 12 : text + 4} fontSize="11" textAnchor="end" fill="var(--fg-3)" className="num">
        {isChance && low !== undefined ? 'may be chance' : interval}
      </text>
    </g>
  )
}

const shortened = (text: string, characters: number) => (text.length > characters ? `${text.slice(0, Math.max(1, characters - 1))}…` : text)
