import { Select } from '../../ui/select.tsx'
import type { DrawnAxis } from './axis.ts'
import { colourMeanings, strokeOfNone, strokes } from './axis-colours.ts'

interface Properties {
  axes: readonly DrawnAxis[]
  colour: DrawnAxis
  onChange: (id: string) => void
}

/** Selects the axis whose values color the lines, and explains the colors. */
export function ColourLegend({ axes, colour, onChange }: Properties) {
  const meanings = colourMeanings(colour.scale, colour).map(({ colour: step, text }) => ({ stroke: strokes[step] ?? strokeOfNone, text }))
  return (
    <>
      <Select
        inside
        label="Colour by"
        value={colour.id}
        choices={axes.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={onChange}
        className="max-w-64"
      />
      <ul aria-label={`Colours of ${colour.name}`} className="flex min-w-0 flex-wrap gap-x-3 gap-y-1 text-xs text-fg-2">
        {[...meanings, { stroke: strokeOfNone, text: 'none' }].map(({ stroke, text }) => (
          <li key={stroke} data-cut="" data-tip={text} className="flex max-w-64 items-center gap-1.5">
            <svg width="16" height="8" aria-hidden="true" className="shrink-0">
              <path stroke={stroke} strokeWidth="3" d="M0 4H16" />
            </svg>
            <span className="truncate">{text}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
