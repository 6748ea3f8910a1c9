import { Popover as Base, PopoverDisclosure, PopoverProvider } from '@ariakit/react'
import type { ReactElement, ReactNode } from 'react'
export function Popover({
  trigger,
  label,
  children,
  placement = 'bottom-start',
  open,
  className,
}: {
  trigger: ReactElement
  label: string
  children: ReactNode
  placement?: 'bottom-start' | 'bottom-end'
  open?: boolean
  className?: string
}) {
  return (
    <PopoverProvider placement={placement} {...(open !== undefined && { defaultOpen: open })}>
      <PopoverDisclosure render={trigger} />
      <Base gutter={4} fixed unmountOnHide aria-label={label} className={`pop ${className ?? ''}`}>
        {children}
      </Base>
    </PopoverProvider>
  )
}
