import {
  Menu as Base,
  MenuButton,
  MenuItem as BaseItem,
  MenuItemCheck,
  MenuItemRadio,
  MenuProvider,
  MenuSeparator as BaseSeparator,
  MenuGroup,
  MenuGroupLabel,
  useMenuContext,
} from '@ariakit/react'
import type { LucideIcon } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import { KeyHint } from './key-hint.tsx'

/** The press that loaded this chunk opens the menu: the focus moves into it, and back to the trigger afterwards. */
function OpenOnce() {
  const menu = useMenuContext()
  const done = useRef(false)
  useEffect(() => {
    if (done.current || !menu) return
    const frame = requestAnimationFrame(() => {
      done.current = true
      const trigger = menu.getState().anchorElement
      trigger?.focus()
      menu.setDisclosureElement(trigger)
      menu.setInitialFocus('first')
      menu.setAutoFocusOnShow(true)
      menu.show()
    })
    return () => cancelAnimationFrame(frame)
  }, [menu])
  return null
}

export function Menu({
  trigger,
  children,
  placement = 'bottom-end',
  label,
  open,
}: {
  trigger: ReactElement
  children: ReactNode
  placement?: 'bottom-end' | 'bottom-start' | 'top-start' | 'right-start'
  label?: string
  open?: boolean
}) {
  return (
    <MenuProvider placement={placement}>
      <MenuButton render={trigger} />
      {open && <OpenOnce />}
      <Base
        gutter={4}
        fixed
        unmountOnHide
        aria-label={label}
        className="pop max-h-(--popover-available-height) min-w-52 overflow-y-auto p-1"
      >
        {children}
      </Base>
    </MenuProvider>
  )
}
export function MenuItem({
  icon: Icon,
  keys,
  danger,
  children,
  onClick,
  note,
}: {
  icon?: LucideIcon
  keys?: string
  danger?: boolean
  children: ReactNode
  onClick?: () => void
  note?: ReactNode
}) {
  return (
    <BaseItem onClick={onClick} className={cx('item', danger && 'text-red-text')}>
      {Icon && <Icon size={15} strokeWidth={1.75} aria-hidden className={danger ? '' : 'text-fg-3'} />}
      <span className="grow">{children}</span>
      {note && <span className="text-xs text-fg-3">{note}</span>}
      {keys && <KeyHint keys={keys} />}
    </BaseItem>
  )
}
export function MenuRadio({
  name,
  value,
  current,
  onPick,
  children,
}: {
  name: string
  value: string
  current: string
  onPick: (value: string) => void
  children: ReactNode
}) {
  return (
    <MenuItemRadio name={name} value={value} checked={value === current} onClick={() => onPick(value)} className="item">
      <span className="grow">{children}</span>
      <MenuItemCheck checked={value === current} className="text-accent-text" />
    </MenuItemRadio>
  )
}
export const MenuSeparator = () => <BaseSeparator className="-mx-1 my-1 border-line" />
export function MenuSection({ label, children }: { label: string; children: ReactNode }) {
  return (
    <MenuGroup>
      <MenuGroupLabel className="px-2 pt-1.5 pb-1 text-2xs text-fg-3">{label}</MenuGroupLabel>
      {children}
    </MenuGroup>
  )
}
