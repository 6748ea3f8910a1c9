import { CircleCheck, CircleX, Info, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { explain } from './states/query-problem.tsx'
import { RequestId } from './states/request-id.tsx'

export interface ToastText {
  tone?: 'ok' | 'error' | 'info'
  title: string
  text?: string
  /** Why something failed, instead of the text. */
  error?: unknown
  action?: { label: string; run: () => void }
}
let list: (ToastText & { id: number })[] = []
let next = 1
const listeners = new Set<() => void>()
const change = (to: typeof list) => {
  list = to
  for (const notify of listeners) notify()
}
const close = (id: number) => change(list.filter((t) => t.id !== id))
/** Reports that something happened elsewhere. Errors are shown until closed, each once; all others disappear after six seconds. */
export function toast(text: ToastText) {
  if (text.tone === 'error' && list.some((shown) => shown.title === text.title && shown.text === text.text)) return
  const id = next++
  change([...list.slice(-2), { ...text, id }])
  if (text.tone !== 'error') setTimeout(() => close(id), 6000)
}
export function Toasts() {
  const shown = useSyncExternalStore(
    (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    () => list,
  )
  return (
    <div role="region" aria-label="Notifications" aria-live="polite" className="fixed right-4 bottom-4 z-60 flex w-90 flex-col gap-2">
      {shown.map((t) => (
        <div key={t.id} className="pop flex items-start gap-2.5 p-3">
          {t.tone === 'error' ? (
            <CircleX size={16} className="mt-0.5 text-red" aria-hidden />
          ) : t.tone === 'info' ? (
            <Info size={16} className="mt-0.5 text-blue" aria-hidden />
          ) : (
            <CircleCheck size={16} className="mt-0.5 text-green" aria-hidden />
          )}
          <div className="min-w-0 grow">
            <p className="font-medium">{t.title}</p>
            {t.text && <p className="text-fg-2">{t.text}</p>}
            {t.error !== undefined && <p className="text-fg-2 wrap-anywhere">{explain(t.error)}</p>}
            <RequestId error={t.error} />
            {t.action && (
              <button
                type="button"
                className="mt-1 font-medium text-accent-text hover:underline"
                onClick={() => {
                  t.action?.run()
                  close(t.id)
                }}
              >
                {t.action.label}
              </button>
            )}
          </div>
          <button
            type="button"
            aria-label="Dismiss"
            className="-m-1 inline-flex size-6 items-center justify-center rounded-sm text-fg-3 pressable"
            onClick={() => close(t.id)}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  )
}
