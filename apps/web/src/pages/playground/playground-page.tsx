import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { blank, ModelsForm } from './models-form.tsx'

const FromCall = lazyPart(() => import('./opened-draft.tsx').then(({ FromCall }) => FromCall))
const FromPrompt = lazyPart(() => import('./opened-draft.tsx').then(({ FromPrompt }) => FromPrompt))

const route = getRouteApi('/$entity/$project/playground')

/** Tries a conversation with several models next to each other: an empty one, or one from a call or from a prompt. */
export function PlaygroundPage() {
  const { call, prompt } = route.useSearch()
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <Suspense fallback={<Pending what="the conversation" />}>
        {call !== undefined ? (
          <FromCall key={call} id={call} />
        ) : prompt !== undefined ? (
          <FromPrompt key={prompt} prompt={prompt} />
        ) : (
          <ModelsForm key="" opened={blank} />
        )}
      </Suspense>
    </div>
  )
}
