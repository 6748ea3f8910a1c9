import type { CallKind } from '@heddle/core-api'
import type { ReactNode } from 'react'
import { formatDuration } from '../../lib/time/duration.ts'
import { KindIcon, StatusIcon } from '../../ui/badge.tsx'
import { TextButton } from '../../ui/text-button.tsx'
import { CallName } from '../calls/call-name.tsx'
import { signOfKind } from '../calls/kind-of-call.ts'

export interface ChildCall {
  id: string
  name: string
  kind: CallKind
  status: string
  startedAt: number
  endedAt: number | null
}

const maxShown = 20
const none: readonly ChildCall[] = []

interface Properties {
  calls?: readonly ChildCall[]
  onSelect?: (id: string) => void
  conversation?: ReactNode
}

/** Shown instead of values that a call lacks. Roots of traces often have none: the calls below them do. */
export function Children({ calls = none, onSelect, conversation }: Properties) {
  return (
    <div className="flex flex-col gap-4 p-4">
      {conversation}
      {conversation === undefined && <p className="text-fg-3">No input or output. See Attributes.</p>}
      {calls.length > 0 && (
        <section aria-label="Children">
          <h3 className="mb-1.5 text-xs font-medium text-fg-2">Children</h3>
          <ul className="divide-y divide-line rounded-lg border border-line">
            {calls.slice(0, maxShown).map(({ id, name, kind, status, startedAt, endedAt }) => (
              <li key={id} className="flex h-8 items-center gap-2 px-3">
                <KindIcon kind={signOfKind(kind)} size={16} />
                <TextButton onClick={() => onSelect?.(id)} look="plain">
                  <CallName name={name} kind={signOfKind(kind)} />
                </TextButton>
                {status === 'error' && <StatusIcon status="error" size={13} />}
                <span className="grow" />
                <span className="num text-xs text-fg-3">{endedAt === null ? 'Running' : formatDuration(endedAt - startedAt)}</span>
              </li>
            ))}
          </ul>
          {calls.length > maxShown && (
            <p className="mt-2 text-xs text-fg-3">{`${(calls.length - maxShown).toLocaleString('en')} more in the timeline`}</p>
          )}
        </section>
      )}
    </div>
  )
}
