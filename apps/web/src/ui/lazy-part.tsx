import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { Component } from '../jsx/element-type.ts'
import { isMissingCode } from '../lib/code/missing-code.ts'
import { describeMissing, NotLoaded } from './states/not-loaded.tsx'
import { fetchAgain, refetched } from './refetched.ts'
import { toast } from './toast.tsx'

/** A part of a page whose code is fetched when it is first shown. Where that fails, a notice replaces it; shown again, it is fetched again. */
export function lazyPart<P extends object>(load: () => Promise<Component<P>>): Component<P> {
  const take = refetched(load)
  return function LazyPart(properties: P) {
    const [Part] = useState(take)
    return (
      <MissingCodeBoundary fallback={<NotLoaded />}>
        <Part {...properties} />
      </MissingCodeBoundary>
    )
  }
}

/**
 * A dialog whose code is fetched when it is first opened. Where that fails, it closes with a toast; opened again, it is fetched again.
 * @param Pending shown until it has loaded; default: nothing
 */
export function lazyDialog<P extends { onClose: () => void }>(load: () => Promise<Component<P>>, Pending?: Component): Component<P> {
  const take = refetched(load)
  return function LazyDialog(properties: P) {
    const [Part] = useState(take)
    return (
      <MissingCodeBoundary fallback={<Closed onClose={properties.onClose} />}>
        <Suspense fallback={Pending && <Pending />}>
          <Part {...properties} />
        </Suspense>
      </MissingCodeBoundary>
    )
  }
}

/** Replaces children whose code did not load. Other errors are those of the page. */
export function MissingCodeBoundary({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const latest = useRef(fallback)
  latest.current = fallback
  // The same one at each rendering, so that it is mounted once.
  const [Replacement] = useState(() => ({ error }: { error: unknown }) => <Missing error={error} fallback={latest.current} />)
  return (
    <CatchBoundary getResetKey={() => 'same'} errorComponent={Replacement}>
      {children}
    </CatchBoundary>
  )
}

function Missing({ error, fallback }: { error: unknown; fallback: ReactNode }) {
  if (!isMissingCode(error)) throw error
  useEffect(fetchAgain, [])
  return <>{fallback}</>
}

/** Closes what did not load, and reports it. */
export function Closed({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    onClose()
    void describeMissing().then((text) => toast({ tone: 'error', title: 'This did not load', text }))
  }, [])
  return null
}
