import { lazy } from 'react'
import type { Component } from '../jsx/element-type.ts'

/** Makes parts whose code did not load start again. */
const failed = new Set<() => void>()

/** The part to render. React remembers that code did not load: once that is shown, the next one that is rendered is fetched again. */
export function refetched<P extends object>(load: () => Promise<Component<P>>): () => Component<P> {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        failed.add(() => {
          part = begin()
        })
        throw error
      }
    }) as unknown as Component<P>
  let part = begin()
  return () => part
}

/** Lets the parts whose code did not load be fetched once more. */
export function fetchAgain(): void {
  for (const again of failed) again()
  failed.clear()
}
