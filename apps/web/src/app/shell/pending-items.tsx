import { Skeleton } from '../../ui/card.tsx'

const widths = ['w-24', 'w-36', 'w-28'] as const

/** In the place of the projects of a menu until they are read. */
export const PendingItems = () => (
  <div aria-busy="true" className="flex flex-col gap-3 px-2 py-2">
    {widths.map((width) => (
      <Skeleton key={width} className={`h-3 ${width}`} />
    ))}
  </div>
)
