import { Combobox as Base, ComboboxItem, ComboboxLabel, ComboboxPopover, ComboboxProvider } from '@ariakit/react'
import { Search, type LucideIcon } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { cx } from '../lib/cx.ts'

export interface Suggestion {
  value: string
  label?: ReactNode
  note?: string
  icon?: LucideIcon
  group?: string
}
/** Free text with suggestions: filters, tags, models, users. Arrow keys move, Enter accepts, Escape closes. */
export function Combobox({
  label,
  placeholder,
  suggestions,
  onPick,
  className,
  open,
  icon: Icon = Search,
  bare,
  start = '',
  focus,
}: {
  start?: string
  focus?: boolean
  label: string
  placeholder?: string
  suggestions: Suggestion[]
  onPick?: (value: string) => void
  className?: string
  open?: boolean
  icon?: LucideIcon
  bare?: boolean
}) {
  const [value, setValue] = useState(start)
  const found = useMemo(
    () => suggestions.filter((s) => s.value.toLowerCase().includes(value.toLowerCase())).slice(0, 40),
    [suggestions, value],
  )
  return (
    <ComboboxProvider value={value} setValue={setValue} placement="bottom-start" {...(open !== undefined && { defaultOpen: open })}>
      <ComboboxLabel className="sr-only">{label}</ComboboxLabel>
      <div className={cx('flex items-center gap-2', !bare && 'field h-8 px-2.5', className)}>
        <Icon size={14} aria-hidden className="text-fg-3" />
        <Base placeholder={placeholder} autoFocus={focus ?? false} className="min-w-0 grow bg-transparent outline-none" />
      </div>
      <ComboboxPopover gutter={8} fixed unmountOnHide className="pop max-h-80 w-96 overflow-auto p-1">
        {found.map((s, i) => (
          <div key={s.value}>
            {s.group && s.group !== found[i - 1]?.group && <div className="px-2 pt-1.5 pb-1 text-2xs text-fg-3">{s.group}</div>}
            <ComboboxItem
              value={s.value}
              onClick={() => {
                onPick?.(s.value)
                setValue('')
              }}
              className="item"
            >
              {s.icon && <s.icon size={15} strokeWidth={1.75} aria-hidden className="text-fg-3" />}
              <span className="grow truncate">{s.label ?? s.value}</span>
              {s.note && <span className="text-xs text-fg-3">{s.note}</span>}
            </ComboboxItem>
          </div>
        ))}
        {found.length === 0 && <p className="px-2 py-3 text-fg-3">Nothing matches “{value}”.</p>}
      </ComboboxPopover>
    </ComboboxProvider>
  )
}
