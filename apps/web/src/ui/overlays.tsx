import { type ReactElement, useState } from 'react'
import type { Component } from '../jsx/element-type.ts'
import { refetched } from './refetched.ts'

/** A chunk that a page does not wait for. It is loaded when the page is idle or a trigger is touched, and used as soon as it is loaded. */
function chunk<M>(load: () => Promise<M>) {
  let module: M | undefined
  const get = () =>
    load().then((m) => {
      module = m
      return m
    })
  function part<P extends object>(pick: (m: M) => (props: P) => unknown) {
    const take = refetched(() => get().then((m) => pick(m) as Component<P>))
    return function Part(props: P): ReactElement {
      const [Now] = useState(() => (module ? (pick(module) as Component<P>) : take()))
      return <Now {...props} />
    }
  }
  return { get, part }
}
export const menuChunk = chunk(() => import('./menu-parts.tsx'))
export const popoverChunk = chunk(() => import('./popover-parts.tsx'))
export const comboboxChunk = chunk(() => import('./combobox-parts.tsx'))
export const selectChunk = chunk(() => import('./select-parts.tsx'))
export const dialogChunk = chunk(() => import('./dialog-parts.tsx'))
export const preloadOverlays = () => {
  // What does not load now is loaded again when it is needed, and a failure is reported then.
  for (const c of [menuChunk, popoverChunk, comboboxChunk, selectChunk, dialogChunk]) c.get().catch(() => undefined)
}
