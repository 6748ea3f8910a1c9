import type { AxisOffer, DrawnAxis } from './axis.ts'
import { maxAxes } from './axes-search.ts'

interface Properties {
  offers: readonly AxisOffer[]
  axes: readonly DrawnAxis[]
  /** Ids of all axes that are shown from now on. */
  onChange: (ids: string[]) => void
}

/** Chooses which axes are shown. A further one comes last. */
export function ChooseAxes({ offers, axes, onChange }: Properties) {
  const shown = axes.map(({ id }) => id)
  const toggle = (id: string) => onChange(shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id])
  const groups = [...new Set(offers.map(({ group }) => group))]
  return (
    <details>
      <summary>
        Axes: {shown.length} of {offers.length} shown
      </summary>
      {groups.map((group) => (
        <fieldset key={group} className="row">
          <legend>{group}</legend>
          {offers
            .filter((offer) => offer.group === group)
            .map(({ id, name }) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={shown.includes(id)}
                  disabled={shown.includes(id) ? shown.length === 1 : shown.length >= maxAxes}
                  onChange={() => toggle(id)}
                />{' '}
                {name}
              </label>
            ))}
        </fieldset>
      ))}
      {shown.length >= maxAxes && <p className="muted">At most {maxAxes} axes are shown at once.</p>}
    </details>
  )
}
