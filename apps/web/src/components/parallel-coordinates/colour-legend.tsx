import type { DrawnAxis } from './axis.ts'
import { colourMeanings } from './axis-colours.ts'

interface Properties {
  axes: readonly DrawnAxis[]
  colour: DrawnAxis
  onChange: (id: string) => void
}

/** Chooses the axis whose values colour the lines, and says which colour is which value. */
export function ColourLegend({ axes, colour, onChange }: Properties) {
  return (
    <div className="row">
      <label htmlFor="colour-axis">Colour by</label>
      <select id="colour-axis" value={colour.id} onChange={({ target }) => onChange(target.value)}>
        {axes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <ul className="axis-legend" aria-label={`Colours of ${colour.name}`}>
        {colourMeanings(colour.scale, colour).map(({ colour: step, text }) => (
          <li key={step} title={text}>
            <Swatch name={String(step)} /> {text}
          </li>
        ))}
        <li>
          <Swatch name="none" /> none
        </li>
      </ul>
    </div>
  )
}

const Swatch = ({ name }: { name: string }) => (
  <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">
    <path className={`axis-colour-${name}`} d="M0 4H24" />
  </svg>
)
