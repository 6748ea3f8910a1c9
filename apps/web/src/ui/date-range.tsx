import { Calendar, ChevronDown } from 'lucide-react'
import { Suspense } from 'react'
import { Button } from './button.tsx'
import type { TimesProperties } from './date-range-choices.tsx'
import { Popover } from './popover.tsx'
import { lazyPart } from './lazy-part.tsx'

const Choices = lazyPart(() => import('./date-range-choices.tsx').then(({ DateRangeChoices }) => DateRangeChoices))

interface Properties extends TimesProperties {
  /** Name of the chosen time. */
  label: string
  open?: boolean
}

/** Chooses a time: one that ends now, or one between two times. */
export function DateRange({ label, open, ...choices }: Properties) {
  return (
    <Popover
      {...(open !== undefined && { open })}
      label="Time range"
      placement="bottom-end"
      className="flex max-md:flex-col"
      trigger={
        <Button icon={Calendar} trailing={ChevronDown}>
          {label}
        </Button>
      }
    >
      <Suspense fallback={<div className="h-48 w-104" />}>
        <Choices {...choices} />
      </Suspense>
    </Popover>
  )
}
export type { RangePreset } from './date-range-choices.tsx'
