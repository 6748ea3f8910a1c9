import { type ComponentType, useEffect, useState } from 'react'
import { whenIdle } from '../../lib/code/when-idle.ts'

/**
 * A part that the page can do without, loaded once the page is idle. Undefined until then, and where it cannot be loaded. `load` is defined outside of
 * the component.
 */
export function useLoaded<P>(load: () => Promise<ComponentType<P>>): ComponentType<P> | undefined {
  const [part, setPart] = useState<ComponentType<P>>()
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
