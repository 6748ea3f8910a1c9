import { Select } from './select.tsx'
import type { SelectProps } from './select-face.tsx'

/** A select in a form, below its label as fields are. */
export const FormSelect = (props: Omit<SelectProps, 'inside' | 'hideLabel' | 'size'>) => (
  <div className="flex flex-col items-start">
    {/* The select announces its label itself. */}
    <span aria-hidden className="mb-1 text-xs font-medium text-fg-2">
      {props.label}
    </span>
    <Select {...props} hideLabel size="md" />
  </div>
)
