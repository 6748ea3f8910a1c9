import { RotateCcw, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, Input, Slider } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Segmented } from '../../ui/tabs.tsx'
import { curveAxes, type CurveAxis, type CurveSearch, defaultSmoothing } from './curve-search.ts'

const boundNames = { step: 'Steps', relative: 'Seconds' } as const
const axisTitles: Readonly<Record<CurveAxis, string>> = { step: 'Step', relative: 'Elapsed', clock: 'Time' }

interface Properties {
  view: CurveSearch
  onView: (changed: CurveSearch) => void
  hasTimes: boolean
  /** There is only room for the most used controls. */
  isNarrow: boolean
  /** At the right. */
  children?: ReactNode
}

/** How all curves of a page are drawn: one bar, which remains above them. */
export function CurveControls({ view, onView, hasTimes, isNarrow, children }: Properties) {
  const { smooth = defaultSmoothing, scale, axis = 'step', outliers, from, to } = view
  const outlierBox = (
    <Checkbox label="Hide outliers" checked={outliers === 'out'} onChange={(isOn) => onView({ outliers: isOn ? 'out' : undefined })} />
  )
  return (
    <div
      role="group"
      aria-label="Curves"
      className={cx(
        'sticky top-0 z-10 flex min-h-12 shrink-0 flex-wrap items-center border-b border-line bg-sheet py-2',
        isNarrow ? 'gap-1.5 px-3' : 'gap-3 px-4',
      )}
    >
      {hasTimes && (
        <Segmented
          label="X axis"
          value={axis}
          onChange={(next) => onView({ axis: curveAxes.find((one) => one === next && one !== 'step'), from: undefined, to: undefined })}
          items={curveAxes.map((one) => ({ value: one, label: axisTitles[one] }))}
        />
      )}
      <Slider
        compact
        label="Smoothing"
        value={smooth}
        min={0}
        max={0.99}
        step={0.01}
        format={(value) => value.toFixed(2)}
        onChange={(next) => onView({ smooth: next })}
      />
      {!isNarrow && outlierBox}
      <Popover label="Axes" className="flex w-64 flex-col gap-3 p-3" trigger={<Button icon={SlidersHorizontal}>Axes</Button>}>
        {isNarrow && outlierBox}
        <Checkbox label="Log scale" checked={scale === 'log'} onChange={(isOn) => onView({ scale: isOn ? 'log' : undefined })} />
        {axis !== 'clock' && (
          <div className="flex gap-3">
            <Bound label={`${boundNames[axis]} from`} value={from} onChange={(value) => onView({ from: value })} />
            <Bound label="to" value={to} onChange={(value) => onView({ to: value })} />
          </div>
        )}
      </Popover>
      {(from !== undefined || to !== undefined) && (
        <Button icon={RotateCcw} data-tip="Reset zoom" aria-label="Reset zoom" onClick={() => onView({ from: undefined, to: undefined })}>
          {axis === 'clock' ? 'All' : `${boundNames[axis]} ${shown(from)}–${shown(to)}`}
        </Button>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2 empty:hidden">{children}</div>
    </div>
  )
}

const shown = (bound: number | undefined) => (bound === undefined ? '' : String(Number(bound.toPrecision(6))))

function Bound({ label, value, onChange }: { label: string; value: number | undefined; onChange: (value: number | undefined) => void }) {
  return (
    <Field label={label} className="min-w-0 grow">
      {(ids) => (
        <Input
          {...ids}
          type="number"
          step="any"
          value={shown(value)}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
        />
      )}
    </Field>
  )
}
