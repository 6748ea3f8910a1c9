import { Columns3 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import type { AxisOffer, DrawnAxis } from './axis.ts'
import { maxAxes } from './axes-search.ts'

interface Properties {
  offers: readonly AxisOffer[]
  axes: readonly DrawnAxis[]
  /** Ids of all axes that are shown from now on. */
  onChange: (ids: string[]) => void
}

/** Selects the axes to show. A new one is appended. */
export function ChooseAxes({ offers, axes, onChange }: Properties) {
  const shown = axes.map(({ id }) => id)
  const groups = [...new Set(offers.map(({ group }) => group))]
  return (
    <Popover
      label="Axes"
      className="max-h-[60vh] w-72 overflow-auto p-3"
      trigger={
        <Button icon={Columns3}>
          Axes <span className="num font-normal text-fg-3">{`${shown.length} of ${offers.length}`}</span>
        </Button>
      }
    >
      {groups.map((group) => (
        <fieldset key={group} className="mb-3 flex flex-col">
          <legend className="mb-1 text-xs text-fg-3">{group}</legend>
          {offers
            .filter((offer) => offer.group === group)
            .map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={shown.includes(id)}
                disabled={shown.includes(id) ? shown.length === 1 : shown.length >= maxAxes}
                onChange={(isOn) => onChange(isOn ? [...shown, id] : shown.filter((one) => one !== id))}
              />
            ))}
        </fieldset>
      ))}
      {shown.length >= maxAxes && <p className="text-xs text-fg-3">{`At most ${maxAxes} axes are shown at once.`}</p>}
    </Popover>
  )
}
