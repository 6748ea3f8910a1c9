import { useId } from 'react'
import { filterNames, type ItemFilter, itemFilters } from './item-filters.ts'

interface Properties {
  label: string
  filter: ItemFilter | undefined
  onChange: (filter: ItemFilter | undefined) => void
}

/** Chooses which items of a queue are listed. */
export function ItemFilterSelect({ label, filter, onChange }: Properties) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={filter ?? ''} onChange={({ target }) => onChange((target.value || undefined) as ItemFilter | undefined)}>
        <option value="">all</option>
        {itemFilters.map((one) => (
          <option key={one} value={one}>
            {filterNames[one]}
          </option>
        ))}
      </select>
    </>
  )
}
