import { Select as Base, SelectItem, SelectItemCheck, SelectLabel, SelectPopover, SelectProvider } from '@ariakit/react'
import { SelectFace, selectLook, type SelectProps } from './select-face.tsx'

/** A choice from a short, known list. `inside` writes the label within the button ("Sort: Newest"); otherwise it is above. */
export function Select({ label, choices, value, onChange, inside, hideLabel, icon, size = 'sm', className, disabled, open }: SelectProps) {
  const picked = choices.find((c) => c.value === value)
  return (
    <SelectProvider
      value={value}
      setValue={(v) => onChange?.(v as string)}
      placement="bottom-start"
      {...(open !== undefined && { defaultOpen: open })}
    >
      <SelectLabel className={inside || hideLabel ? 'sr-only' : 'mb-1 block text-xs font-medium text-fg-2'}>{label}</SelectLabel>
      <Base className={selectLook(size, className)} disabled={disabled ?? false}>
        <SelectFace label={label} inside={inside} icon={icon} picked={picked} />
      </Base>
      <SelectPopover
        gutter={4}
        fixed
        sameWidth={!inside && !hideLabel}
        unmountOnHide
        className="pop max-h-(--popover-available-height) min-w-44 overflow-y-auto p-1"
      >
        {choices.map((choice) => (
          <SelectItem key={choice.value} value={choice.value} className="item">
            {choice.icon && <choice.icon size={15} strokeWidth={1.75} aria-hidden className="text-fg-3" />}
            <span className="grow">{choice.label}</span>
            {choice.note && <span className="text-xs text-fg-3">{choice.note}</span>}
            <SelectItemCheck className="text-accent-text" />
          </SelectItem>
        ))}
      </SelectPopover>
    </SelectProvider>
  )
}
