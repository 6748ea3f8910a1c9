import { RefreshCw } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isForbidden } from '../../lib/server/is-forbidden.ts'

interface Properties {
  title: string
  /** Its purpose, in one sentence. */
  text?: ReactNode
  /** What can be read again by a button. `error` is that of the last reading. */
  query?: { error: unknown; isFetching: boolean; refetch: () => unknown } | undefined
  /** What `query` reads, as the name of the button. Absent: it has none. */
  refreshes?: string
  /** What only administrators may do here: said instead of the content where the query is refused. */
  adminsMay?: string
  /** Another way for those who may not. */
  otherwise?: ReactNode
  /** Right of the title, the primary one last. */
  actions?: ReactNode
  children: ReactNode
}

/** A part of the settings: what it is for, above its cards. */
export function SettingsSection({ title, text, query, refreshes, adminsMay, otherwise, actions, children }: Properties) {
  const id = useId()
  const isRefused = adminsMay !== undefined && isForbidden(query?.error)
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-64">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          {text !== undefined && <div className="text-fg-2">{text}</div>}
        </div>
        {!isRefused && (
          <div className="flex shrink-0 gap-2">
            {query && refreshes !== undefined && (
              <Button icon={RefreshCw} aria-label={`Refresh ${refreshes}`} disabled={query.isFetching} onClick={() => void query.refetch()}>
                Refresh
              </Button>
            )}
            {actions}
          </div>
        )}
      </div>
      {isRefused ? <Notice title={`Only keys with the role admin in this project may ${adminsMay}`}>{otherwise}</Notice> : children}
    </section>
  )
}
