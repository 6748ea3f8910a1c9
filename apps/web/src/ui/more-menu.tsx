import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { Menu } from './menu.tsx'

/** Secondary actions of a page, in its header. */
export const MoreMenu = ({ children }: { children: ReactNode }) => (
  <Menu label="More" placement="bottom-end" trigger={<IconButton label="More actions" icon={Ellipsis} variant="secondary" />}>
    {children}
  </Menu>
)
