import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { cx } from '../lib/cx.ts'

export interface TabItem {
  id: string
  label: string
  count?: ReactNode
  icon?: LucideIcon
}
/** Parts of one subject. The selected tab is in the address; arrow keys, Home and End move between tabs and select immediately. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
  children,
  actions,
  className,
}: {
  label: string
  tabs: TabItem[]
  value: string
  onChange: (id: string) => void
  children?: ReactNode
  actions?: ReactNode
  className?: string
}) {
  const id = useId()
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex((tab) => tab.id === value)
    const to = { ArrowRight: (at + 1) % tabs.length, ArrowLeft: (at - 1 + tabs.length) % tabs.length, Home: 0, End: tabs.length - 1 }[
      event.key
    ]
    const tab = to === undefined ? undefined : tabs[to]
    if (!tab) return
    event.preventDefault()
    onChange(tab.id)
    document.getElementById(`${id}-${tab.id}`)?.focus()
  }
  return (
    <>
      <div className={cx('flex h-10 shrink-0 items-center border-b border-line px-4', className)}>
        <div
          role="tablist"
          aria-label={label}
          onKeyDown={move}
          className="-mb-px flex h-full min-w-0 grow items-stretch gap-4 overflow-x-auto"
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              id={`${id}-${tab.id}`}
              type="button"
              role="tab"
              aria-selected={tab.id === value}
              aria-controls={children ? `${id}-panel` : undefined}
              tabIndex={tab.id === value ? 0 : -1}
              onClick={() => onChange(tab.id)}
              className="flex items-center gap-1.5 border-b-2 border-transparent whitespace-nowrap text-fg-2 -outline-offset-2 hover:text-fg aria-selected:border-fg aria-selected:font-medium aria-selected:text-fg"
            >
              {tab.icon && <tab.icon size={14} strokeWidth={1.75} aria-hidden />}
              {tab.label}
              {tab.count !== undefined && <TabCount>{tab.count}</TabCount>}
            </button>
          ))}
        </div>
        {actions}
      </div>
      {children && (
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${value}`}
          tabIndex={0}
          className="min-h-0 grow overflow-auto -outline-offset-2"
        >
          {children}
        </div>
      )}
    </>
  )
}

/** Two to five ways to see the same thing. A radio group: one is always on. */
export function Segmented({
  label,
  items,
  value,
  onChange,
  iconsOnly,
}: {
  label: string
  items: { value: string; label: string; icon?: LucideIcon }[]
  value: string
  onChange?: (value: string) => void
  iconsOnly?: boolean
}) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex h-7 shrink-0 items-center rounded-md border border-line bg-hover p-0.5"
    >
      {items.map((item) => (
        <label
          key={item.value}
          data-tip={item.icon ? item.label : undefined}
          className={cx(
            'relative flex h-full items-center gap-1.5 rounded-sm px-2 whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent',
            item.value === value ? 'bg-raised font-medium text-fg shadow-sm ring-1 ring-line' : 'text-fg-2 hover:text-fg',
          )}
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 opacity-0"
            checked={item.value === value}
            onChange={() => onChange?.(item.value)}
            aria-label={item.label}
          />
          {item.icon && <item.icon size={14} strokeWidth={1.75} aria-hidden />}
          {!iconsOnly && <span className={cx(item.icon && 'max-sm:hidden')}>{item.label}</span>}
        </label>
      ))}
    </div>
  )
}

/** How many things a tab leads to. */
export const TabCount = ({ children }: { children: ReactNode }) => (
  <span className="num rounded-sm bg-active px-1 text-2xs font-normal text-fg-2">{children}</span>
)
