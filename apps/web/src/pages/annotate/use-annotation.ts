import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { explain } from '../../components/query-problem.tsx'
import { claimNext } from '../queues/claim-next.ts'
import { filterNames, isOfOpenItems, type ItemFilter, toServiceFilter } from '../queues/item-filters.ts'
import { besideQuery, itemQuery, keysOfItems, queueStatsQuery } from '../queues/queue-queries.ts'
import type { AnnotateAction } from './annotate-keys.ts'
import type { QueueItem } from './queue-item.ts'
import { correctionField, removeEntry, storeEntry } from './annotate-queries.ts'
import type { AnnotationField } from './annotation-field.ts'
import { type AnnotationSaver, createAnnotationSaver, type StoredValue } from './annotation-saver.ts'
import type { ItemClaim } from './use-claim.ts'
import { isTextInput, useKeys } from './use-keys.ts'

interface Parts {
  queue: { id: string }
  item: QueueItem
  fields: readonly AnnotationField[]
  stored: Readonly<Record<string, StoredValue>>
  username: string
  /** Which items of the queue next and previous go through. */
  filter: ItemFilter | undefined
  claim: ItemClaim
  onHelp: () => void
}

const itemPath = '/$entity/$project/queues/$queue/annotate/$item'

/** What the page of an item does: saves values as they are entered, moves between items, and follows the keys. */
export function useAnnotation({ queue, item, fields, stored, username, filter, claim, onHelp }: Parts) {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [current, setCurrent] = useState(0)
  const [isLeaving, setLeaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [message, setMessage] = useState<string>()
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  const [saver] = useState(() =>
    createItemSaver({
      project_id: project.id,
      queueId: queue.id,
      item,
      fields,
      stored,
      onChange: redraw,
      isOpen: () => isOpen.current,
    }),
  )
  const stats = useQuery(queueStatsQuery(client, project.id, queue.id)).data
  const besideItem = besideQuery(client, project.id, queue.id, { item_id: item.id, filter: toServiceFilter(filter, username) })
  const place = useQuery(besideItem).data?.position_in_queue

  const isReviewed = item.own_state === 'completed' || item.own_state === 'skipped'

  function change(field: string, value: unknown) {
    claim.work()
    saver.set(field, value)
  }

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

  const open = (id: string) => navigate({ to: itemPath, params: { ...project, queue: queue.id, item: id }, search: { state: filter } })

  async function openBeside(step: 1 | -1) {
    const { previous, next } = await queries.ensureQueryData(besideItem)
    const other = step === 1 ? next : previous
    if (other) {
      // A claim that cannot be given back ends by itself.
      await claim.release().catch(() => undefined)
      await open(other.id)
    } else
      setMessage(`This is the ${step === 1 ? 'last' : 'first'} item${filter === undefined ? '' : ` of those: ${filterNames[filter]}`}.`)
  }

  async function finish(annotation_state: 'completed' | 'skipped') {
    const [wrong] = annotation_state === 'completed' ? refused.current : []
    if (wrong) {
      setProblem(`The item is not completed: what is typed for ${titleOf(wrong[0])} is not a value of it (${wrong[1]}).`)
      if (wrong[0] === correctionField) focusText('corrected-output')
      else focusField(wrong[0])
      return
    }
    if (annotation_state === 'completed' && !(await saver.settle())) {
      setProblem('Some values are not saved, so the item is not completed. They are saved again when you complete once more.')
      saver.retry()
      return
    }
    await client.annotationQueues.updateProgress({ project_id: project.id, queue_id: queue.id, item_id: item.id, annotation_state })
    if (!isOfOpenItems(filter)) {
      for (const key of keysOfItems) void readAgain(queries, [key, project.id])
      return openBeside(1)
    }
    const next = await claimNext(client, project.id, queue.id)
    for (const key of keysOfItems) void readAgain(queries, [key, project.id])
    if (next) await open(next.id)
    else setMessage('That was the last item: each is done, or another annotator has it.')
  }

  async function reopen() {
    const place = { project_id: project.id, queue_id: queue.id, item_id: item.id }
    const reopened = await client.annotationQueues.reopenItem(place)
    queries.setQueryData(itemQuery(client, project.id, queue.id, item.id).queryKey, reopened.item)
    for (const key of keysOfItems) void readAgain(queries, [key, project.id])
    setMessage('The item is open again. Complete it once more when you are done.')
  }

  /** One at a time: what a key asks for while an item is left is ignored. */
  function leave(step: () => Promise<unknown>) {
    if (isLeaving) return
    setLeaving(true)
    setProblem(undefined)
    setMessage(undefined)
    step()
      .catch((error: unknown) => setProblem(explain(error)))
      .finally(() => setLeaving(false))
  }

  const titleOf = (name: string) =>
    name === correctionField ? 'the corrected output' : (fields.find((field) => field.name === name)?.title ?? name)

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
    else if (action.do === 'reopen') {
      if (isReviewed) leave(reopen)
    } else if (action.do === 'undo') saver.undo()
    else if (action.do === 'note') focusText('note')
    else if (action.do === 'corrected-output') focusText('corrected-output')
  }

  /** A digit chooses an option; in a field of text it begins the text. */
  function chooseOption(at: number) {
    const field = fields[current]
    if (field?.input.kind === 'options') {
      if (at < field.input.options.length) change(field.name, field.input.options[at])
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
    change,
    /** Notes why a text that is typed is not a value of its field; undefined where it is one. */
    refuse(field: string, why: string | undefined) {
      if (why === undefined) refused.current.delete(field)
      else refused.current.set(field, why)
    },
    act,
    stats,
    /** Place of the item in its queue, from 1. Undefined while it is not known. */
    place,
    /** The user has completed or skipped the item. */
    isReviewed,
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
  isOpen: () => boolean
}

function createItemSaver({ project_id, queueId, item, fields, stored, onChange, isOpen }: SaverParts): AnnotationSaver {
  return createAnnotationSaver(stored, {
    store: ({ field, value, replaced }) => {
      const specRef = fields.find(({ name }) => name === field)?.ref
      return storeEntry(client, { project_id, queueId, callId: item.call_id, field, specRef, value, replaced })
    },
    remove: (id) => removeEntry(client, project_id, id),
    onChange,
    isOpen,
    wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  })
}

const focusText = (id: string) => document.getElementById(id)?.focus()

function focusField(name: string | undefined) {
  const field = [...document.querySelectorAll<HTMLElement>('fieldset[data-field]')].find((one) => one.dataset['field'] === name)
  field?.querySelector<HTMLElement>('[aria-pressed="true"], input, button')?.focus()
}

/** What is typed is saved when its field loses the focus, also where a key or the browser leaves the item. */
function commitTyped() {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && isTextInput(activeElement)) flushSync(() => activeElement.blur())
}
