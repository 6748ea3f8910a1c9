import type { ComponentProps } from 'react'
import type { Popover as Real } from './popover-parts.tsx'
import { LazyTrigger } from './lazy-trigger.tsx'
import { popoverChunk } from './overlays.tsx'

const Parts = popoverChunk.part<ComponentProps<typeof Real>>((m) => m.Popover)
export function Popover(props: ComponentProps<typeof Real>) {
  return (
    <LazyTrigger trigger={props.trigger} popup="dialog" open={props.open}>
      {() => <Parts {...props} open />}
    </LazyTrigger>
  )
}
