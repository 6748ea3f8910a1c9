import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { explain } from '../../components/query-problem.tsx'
import { claimNext } from '../queues/claim-next.ts'
import { itemsQuery, keysOfItems, maxItems, queueStatsQuery } from '../queues/queue-queries.ts'
import { type AnnotateAction, toAnnotateAction } from './annotate-keys.ts'
import type { QueueItem } from './queue-item.ts'
import { removeEntry, storeEntry } from './annotate-queries.ts'
import type { AnnotationField } from './annotation-field.ts'
import { type AnnotationSaver, createAnnotationSaver, type StoredValue } from './annotation-saver.ts'

interface Parts {
  queue: { id: string }
  item: QueueItem
  fields: readonly AnnotationField[]
  stored: Readonly<Record<string, StoredValue>>
  onHelp: () => void
}

const itemPath = '/$entity/$project/queues/$queue/annotate/$item'

/** What the page of an item does: saves values as they are entered, moves between items, and follows the keys. */
export function useAnnotation({ queue, item, fields, stored, onHelp }: Parts) {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [current, setCurrent] = useState(0)
  const [isLeaving, setLeaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [message, setMessage] = useState<string>()
  const [saver] = useState(() => createItemSaver({ project_id: project.id, queueId: queue.id, item, fields, stored, onChange: redraw }))
  const stats = useQuery(queueStatsQuery(client, project.id, queue.id)).data
  const items = useQuery(itemsQuery(client, project.id, queue.id, [])).data?.items
  const at = items?.findIndex(({ id }) => id === item.id) ?? -1

  /** Texts that are typed but are not values of their fields, with the reason. */
  const refused = useRef(new Map<string, string>())

  useBlocker({
    async shouldBlockFn() {
      commitTyped()
      const isSaved = await saver.settle()
      return !(isSaved && refused.current.size === 0) && !window.confirm('Some values are not saved. Leave them?')
    },
    enableBeforeUnload() {
      commitTyped()
      return !saver.isSaved() || refused.current.size > 0
    },
  })

  const open = (id: string) => navigate({ to: itemPath, params: { ...project, queue: queue.id, item: id } })

  async function openBeside(step: 1 | -1) {
    const other = at < 0 ? undefined : items?.[at + step]
    if (other) await open(other.id)
    else if (at < 0) setMessage(`The item is not among the first ${maxItems.toLocaleString('en')} of the queue, so none is beside it here.`)
    else if (step === 1 && at + 1 === maxItems)
      setMessage(`The items after the first ${maxItems.toLocaleString('en')} come with "Complete and next".`)
    else setMessage(step === 1 ? 'This is the last item.' : 'This is the first item.')
  }

  async function finish(annotation_state: 'completed' | 'skipped') {
    const [wrong] = annotation_state === 'completed' ? refused.current : []
    if (wrong) {
      setProblem(`The item is not completed: what is typed for ${titleOf(wrong[0])} is not a value of it (${wrong[1]}).`)
      focusField(wrong[0])
      return
    }
    if (annotation_state === 'completed' && !(await saver.settle())) {
      setProblem('Some values are not saved, so the item is not completed. They are saved again when you complete once more.')
      saver.retry()
      return
    }
    await client.annotationQueues.updateProgress({ project_id: project.id, queue_id: queue.id, item_id: item.id, annotation_state })
    const next = await claimNext(client, project.id, queue.id)
    for (const key of keysOfItems) void readAgain(queries, [key, project.id])
    if (next) await open(next.id)
    else setMessage('That was the last item: each is done, or another annotator has it.')
  }

  /** One at a time: what a key asks for while an item is left is ignored. */
  function leave(step: () => Promise<unknown>) {
    if (isLeaving) return
    setLeaving(true)
    setProblem(undefined)
    step()
      .catch((error: unknown) => setProblem(explain(error)))
      .finally(() => setLeaving(false))
  }

  const titleOf = (name: string) => fields.find((field) => field.name === name)?.title ?? name

  function act(action: AnnotateAction) {
    // Until the next item is on screen, keys would change one that is done.
    if (isLeaving) return
    if (action.do === 'next') leave(() => openBeside(1))
    else if (action.do === 'previous') leave(() => openBeside(-1))
    else if (action.do === 'field-down') setCurrent((at) => Math.min(fields.length - 1, at + 1))
    else if (action.do === 'field-up') setCurrent((at) => Math.max(0, at - 1))
    else if (action.do === 'option') chooseOption(action.at)
    else if (action.do === 'complete') leave(() => finish('completed'))
    else if (action.do === 'skip') leave(() => finish('skipped'))
    else if (action.do === 'undo') saver.undo()
    else if (action.do === 'note') document.querySelector<HTMLElement>('#note')?.focus()
  }

  /** A digit chooses an option; in a field of text it begins the text. */
  function chooseOption(at: number) {
    const field = fields[current]
    if (field?.input.kind === 'options') {
      if (at < field.input.options.length) saver.set(field.name, field.input.options[at])
    } else focusField(field?.name)
  }

  useKeys((action) => {
    commitTyped()
    act(action)
    if (action.do === 'field-down' || action.do === 'field-up') {
      const step = action.do === 'field-down' ? 1 : -1
      focusField(fields[Math.min(fields.length - 1, Math.max(0, current + step))]?.name)
    }
  }, onHelp)

  return {
    saver,
    current,
    setCurrent,
    change: (field: string, value: unknown) => saver.set(field, value),
    /** Notes why a text that is typed is not a value of its field; undefined where it is one. */
    refuse(field: string, why: string | undefined) {
      if (why === undefined) refused.current.delete(field)
      else refused.current.set(field, why)
    },
    act,
    stats,
    /** Place of the item in its queue, from 1. Undefined while it is not known. */
    place: at < 0 ? undefined : at + 1,
    problem,
    message,
    isLeaving,
  }
}

interface SaverParts {
  project_id: string
  queueId: string
  item: QueueItem
  fields: readonly AnnotationField[]
  stored: Readonly<Record<string, StoredValue>>
  onChange: () => void
}

function createItemSaver({ project_id, queueId, item, fields, stored, onChange }: SaverParts): AnnotationSaver {
  return createAnnotationSaver(stored, {
    store: ({ field, value, replaced }) => {
      const specRef = fields.find(({ name }) => name === field)?.ref
      return storeEntry(client, { project_id, queueId, callId: item.call_id, field, specRef, value, replaced })
    },
    remove: (id) => removeEntry(client, project_id, id),
    onChange,
    wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  })
}

function focusField(name: string | undefined) {
  const field = [...document.querySelectorAll<HTMLElement>('fieldset[data-field]')].find((one) => one.dataset['field'] === name)
  field?.querySelector<HTMLElement>('[aria-pressed="true"], input, button')?.focus()
}

/** What is typed is saved when its field loses the focus, also where a key or the browser leaves the item. */
function commitTyped() {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && isTextInput(activeElement)) flushSync(() => activeElement.blur())
}

const isTextInput = (element: Element) => element.matches('input, textarea')

/** Calls back for each key of the page. */
function useKeys(onAction: (action: AnnotateAction) => void, onHelp: () => void) {
  const latest = useRef({ onAction, onHelp })
  useEffect(() => {
    latest.current = { onAction, onHelp }
  })
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.defaultPrevented) return
      const target = event.target instanceof Element ? event.target : document.body
      if (target.matches('select') || target.closest('dialog')) return
      const isTyping = isTextInput(target)
      const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event
      if (key === '?' && !isTyping && !repeat) return latest.current.onHelp()
      const action = toAnnotateAction({ key, ctrlKey, metaKey, altKey, shiftKey, repeat, isTyping })
      if (!action) return
      event.preventDefault()
      latest.current.onAction(action)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
