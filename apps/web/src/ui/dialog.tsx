import { type ComponentProps, Suspense, useState } from 'react'
import type { Component } from '../jsx/element-type.ts'
import type { ConfirmDialog as ConfirmDialogPart, Dialog as DialogPart, Drawer as DrawerPart } from './dialog-parts.tsx'
import { Closed, MissingCodeBoundary } from './lazy-part.tsx'
import { dialogChunk } from './overlays.tsx'

/** Remains mounted once it was open, so that closing it restores the focus. */
function onceOpened<P extends { open: boolean; onClose: () => void }>(Part: Component<P>) {
  return function Opened(props: P) {
    const [wasOpen, setWasOpen] = useState(props.open)
    if (props.open && !wasOpen) setWasOpen(true)
    const close = () => {
      setWasOpen(false)
      props.onClose()
    }
    return (
      wasOpen && (
        <MissingCodeBoundary fallback={<Closed onClose={close} />}>
          <Suspense fallback={<span aria-busy="true" />}>
            <Part {...props} />
          </Suspense>
        </MissingCodeBoundary>
      )
    )
  }
}

export const Dialog = onceOpened(dialogChunk.part<ComponentProps<typeof DialogPart>>((parts) => parts.Dialog))
export const ConfirmDialog = onceOpened(dialogChunk.part<ComponentProps<typeof ConfirmDialogPart>>((parts) => parts.ConfirmDialog))
export const Drawer = onceOpened(dialogChunk.part<ComponentProps<typeof DrawerPart>>((parts) => parts.Drawer))
