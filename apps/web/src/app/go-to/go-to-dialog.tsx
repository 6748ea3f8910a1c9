import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { addressOf } from '../base-path.ts'
import { ModalDialog } from '../../components/modal-dialog.tsx'
import { readRecentPages } from './recent-pages.ts'
import { callTargetQuery, namedTargetsQuery, searchedObjects } from './target-queries.ts'
import { findTargets, isCallId, pageTargets, type Target } from './targets.ts'

/** Search over pages, calls by id, objects, runs, queues, models, training jobs and recent pages. */
export function GoToDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const { entity, project } = useParams({ strict: false })
  const id = entity !== undefined && project !== undefined ? `${entity}/${project}` : undefined
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const recent = useMemo(() => readRecentPages(window.sessionStorage), [])
  const named = useQuery(
    namedTargetsQuery(entity !== undefined && project !== undefined && id !== undefined ? { entity, project, id } : undefined),
  )
  const call = useQuery(callTargetQuery(id, text.trim(), isCallId(text)))
  const found = [
    ...(call.data ?? []),
    ...findTargets([...recent, ...pageTargets(id), ...(text.trim() === '' ? [] : (named.data ?? []))], text),
  ]
  const chosen = found[Math.min(active, found.length - 1)]

  function open(target: Target | undefined) {
    if (!target) return
    onClose()
    router.history.push(addressOf(target.href))
  }

  function move(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setActive(Math.max(0, Math.min(found.length - 1, active + step)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(chosen)
    }
  }

  return (
    <ModalDialog label="Go to" onClose={onClose}>
      <label htmlFor="go-to">Go to a page, a call by its id, an object, a run, a queue, a model or a training job</label>
      <input
        id="go-to"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={found.length > 0 ? 'go-to-list' : undefined}
        aria-activedescendant={chosen ? `go-to-${found.indexOf(chosen)}` : undefined}
        autoComplete="off"
        value={text}
        onKeyDown={move}
        onChange={({ target }) => {
          setText(target.value)
          setActive(0)
        }}
      />
      {found.length > 0 && (
        <ul id="go-to-list" role="listbox" aria-label="Found" className="go-to-list">
          {found.map((target, at) => (
            <li key={target.href} id={`go-to-${at}`} role="option" aria-selected={target === chosen} onClick={() => open(target)}>
              <span>{target.title}</span> <span className="muted">{target.kind}</span>
            </li>
          ))}
        </ul>
      )}
      {found.length === 0 && (
        <p className="muted" role="status">
          {call.isFetching || named.isFetching
            ? 'Looking …'
            : `Nothing found among pages, the newest ${searchedObjects} objects, runs, queues, models and training jobs. A call is found by its whole id.`}
        </p>
      )}
    </ModalDialog>
  )
}
