import type { ComponentProps } from 'react'
import type { Menu as Real, MenuItem as Item, MenuRadio as Radio, MenuSection as Section } from './menu-parts.tsx'
import { LazyTrigger } from './lazy-trigger.tsx'
import { menuChunk } from './overlays.tsx'

const Parts = menuChunk.part<ComponentProps<typeof Real>>((m) => m.Menu)
export function Menu(props: ComponentProps<typeof Real>) {
  return (
    <LazyTrigger trigger={props.trigger} popup="menu" open={props.open}>
      {() => <Parts {...props} open />}
    </LazyTrigger>
  )
}
export const MenuItem = menuChunk.part<ComponentProps<typeof Item>>((m) => m.MenuItem)
export const MenuRadio = menuChunk.part<ComponentProps<typeof Radio>>((m) => m.MenuRadio)
export const MenuSection = menuChunk.part<ComponentProps<typeof Section>>((m) => m.MenuSection)
export const MenuSeparator = menuChunk.part<object>((m) => m.MenuSeparator)
