import { useEffect, useState } from 'react'
import type { Component } from '../../jsx/element-type.ts'
import { whenIdle } from '../../lib/code/when-idle.ts'

/**
 * A part that the page can do without, loaded once the page is idle. Undefined until then, and where it cannot be loaded. `load` is defined outside of
 * the component.
 */
export function useLoaded<P>(load: () => Promise<Component<P>>): Component<P> | undefined {
  const [part, setPart] = useState<Component<P>>()
  useEffect(
    () =>
      whenIdle(() => {
        load().then(
          (loaded) => setPart(() => loaded),
          () => undefined,
        )
      }),
    [load],
  )
  return part
}
