import { curveAxes, type CurveAxis, type CurveSearch, defaultSmoothing } from './curve-view.ts'

const axisTitles: Readonly<Record<CurveAxis, string>> = { step: 'step', relative: 'seconds since the first', clock: 'time of day' }

interface Properties {
  view: CurveSearch
  onView: (changed: CurveSearch) => void
  hasTimes: boolean
}

/** How all curves of a page are drawn. */
export function CurveControls({ view, onView, hasTimes }: Properties) {
  const { smooth = defaultSmoothing, scale, axis = 'step', outliers, from, to } = view
  return (
    <div className="row" role="group" aria-label="How curves are drawn">
      <label htmlFor="smoothing">Smoothing {smooth.toFixed(2)}</label>
      <input
        id="smoothing"
        type="range"
        min={0}
        max={0.99}
        step={0.01}
        value={smooth}
        onChange={({ target }) => onView({ smooth: target.valueAsNumber })}
      />
      {hasTimes && (
        <>
          <label htmlFor="axis">Over</label>
          <select
            id="axis"
            value={axis}
            onChange={({ target }) => onView({ axis: curveAxes.find((one) => one === target.value), from: undefined, to: undefined })}
          >
            {curveAxes.map((one) => (
              <option key={one} value={one}>
                {axisTitles[one]}
              </option>
            ))}
          </select>
        </>
      )}
      <label>
        <input type="checkbox" checked={scale === 'log'} onChange={({ target }) => onView({ scale: target.checked ? 'log' : undefined })} />{' '}
        Logarithmic
      </label>
      <label>
        <input
          type="checkbox"
          checked={outliers === 'out'}
          onChange={({ target }) => onView({ outliers: target.checked ? 'out' : undefined })}
        />{' '}
        Without outliers
      </label>
      {axis !== 'clock' && (
        <>
          <Bound label="Shown from" value={from} onChange={(value) => onView({ from: value })} />
          <Bound label="up to" value={to} onChange={(value) => onView({ to: value })} />
        </>
      )}
      {(from !== undefined || to !== undefined) && (
        <button type="button" onClick={() => onView({ from: undefined, to: undefined })}>
          Show all
        </button>
      )}
      <span className="muted">Drag over a curve to enlarge a part of all of them.</span>
    </div>
  )
}

function Bound({ label, value, onChange }: { label: string; value: number | undefined; onChange: (value: number | undefined) => void }) {
  return (
    <label className="row">
      {label}
      <input
        type="number"
        className="curve-bound"
        step="any"
        value={value === undefined ? '' : Number(value.toPrecision(6))}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
      />
    </label>
  )
}
