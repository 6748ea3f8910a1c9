import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { Menu } from './menu.tsx'

interface Properties {
  /** Name of the row. */
  of: string
  disabled?: boolean
  children: ReactNode
}

/** What can be done with a row of a table. */
export function RowMenu({ of, disabled = false, children }: Properties) {
  const label = `Actions for ${of}`
  return (
    <Menu label={label} placement="bottom-end" trigger={<IconButton label={label} icon={Ellipsis} disabled={disabled} />}>
      {children}
    </Menu>
  )
}
