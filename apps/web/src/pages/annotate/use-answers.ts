import { useEffect, useReducer, useRef, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import type { QueueItem } from '../../features/queues/queue-queries.ts'
import { correctionField, noteField, removeEntry, storeEntry } from './annotate-queries.ts'
import type { AnnotationField } from './annotation-field.ts'
import { createAnnotationSaver, type FieldState, type StoredValue } from './annotation-saver.ts'

interface Parts {
  queue: { id: string }
  item: QueueItem
  fields: readonly AnnotationField[]
  stored: Readonly<Record<string, StoredValue>>
  /** Called with each change. */
  onWork: () => void
}

/** Whether the entered values are stored. `none` where nothing was entered. */
export type SaveState = 'none' | 'saving' | 'saved' | 'failed'

export type Answers = ReturnType<typeof useAnswers>

/** The user's answers for an item, which are saved as they are entered. */
export function useAnswers({ queue, item, fields, stored, onWork }: Parts) {
  const { id: project_id } = useProject()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  const [saver] = useState(() =>
    createAnnotationSaver(stored, {
      store: ({ field, value, replaced }) => {
        const specRef = fields.find(({ name }) => name === field)?.ref
        return storeEntry(client, { project_id, queueId: queue.id, callId: item.call_id, field, specRef, value, replaced })
      },
      remove: (id) => removeEntry(client, project_id, id),
      onChange: redraw,
      isOpen: () => isOpen.current,
      wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    }),
  )
  /** Texts that are typed but are not values of their fields, with the reason. */
  const refused = useRef(new Map<string, string>())
  const names = [...fields.map(({ name }) => name), correctionField, noteField]
  return {
    saver,
    saveState: saveStateOf(names.map((name) => saver.state(name).status)),
    change(field: string, value: unknown) {
      onWork()
      saver.set(field, value)
    },
    /** Notes why a text that is typed is not a value of its field; undefined where it is one. */
    refuse(field: string, why: string | undefined) {
      if (why === undefined) refused.current.delete(field)
      else refused.current.set(field, why)
    },
    /** The first field whose typed text is not a value of it, and why. */
    firstRefused(): { field: string; why: string } | undefined {
      const [first] = refused.current
      return first && { field: first[0], why: first[1] }
    },
  }
}

function saveStateOf(states: readonly FieldState['status'][]): SaveState {
  return (['failed', 'saving', 'saved'] as const).find((state) => states.includes(state)) ?? 'none'
}
