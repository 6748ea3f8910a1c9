import { messageOf } from '../../lib/texts/message-of.ts'

/** A value of a field; undefined while it has none. */
type Value = unknown

export interface FieldState {
  value: Value
  status: 'empty' | 'saving' | 'saved' | 'failed'
  /** Why it is not saved, as a message. */
  problem: string | undefined
}

export interface SaverDeps {
  /** Stores a value; `replaced` is the id of the feedback that it replaces. Resolves to the id of the stored one. */
  store(value: { field: string; value: Value; replaced: string | undefined }): Promise<string>
  remove(id: string): Promise<void>
  /** Called after every change of a state. */
  onChange(): void
  /** Waits before a failed save is repeated. */
  wait(ms: number): Promise<void>
  /** False once the item is left: unsaved values are not saved later. */
  isOpen(): boolean
}

export interface AnnotationSaver {
  state(field: string): FieldState
  /** Shows the value immediately and saves it. Values of a field are saved one after the other; of several waiting ones, only the last. */
  set(field: string, value: Value): void
  /** Brings back the value before the last change. Returns its field; undefined where nothing was changed. */
  undo(): string | undefined
  /** Retries failed saves immediately. While the item is open, retries are automatic, the first after 15 s. */
  retry(): void
  /** Waits for the saves that are under way. Resolves to whether everything is saved. */
  settle(): Promise<boolean>
  isSaved(): boolean
}

/** The stored value of a field. */
export interface StoredValue {
  value: Value
  id: string
}

interface Field extends FieldState {
  saved: Value
  id: string | undefined
  running: Promise<void> | undefined
  /** A later attempt is planned. */
  isWaiting: boolean
}

const retryDelaysMs = [500, 1_000, 2_000, 4_000]
/** After the attempts that `settle` waits for. */
const laterRetryMs = 15_000
const maxHistory = 100

/** Saves the values of the fields of one item. */
export function createAnnotationSaver(stored: Readonly<Record<string, StoredValue>>, deps: SaverDeps): AnnotationSaver {
  const fields = new Map<string, Field>()
  const history: { field: string; value: Value }[] = []
  for (const [name, { value, id }] of Object.entries(stored))
    fields.set(name, { value, saved: value, id, status: 'saved', problem: undefined, running: undefined, isWaiting: false })

  function fieldOf(name: string): Field {
    const known = fields.get(name)
    if (known) return known
    const field: Field = {
      value: undefined,
      saved: undefined,
      id: undefined,
      status: 'empty',
      problem: undefined,
      running: undefined,
      isWaiting: false,
    }
    fields.set(name, field)
    return field
  }

  function apply(name: string, value: Value): void {
    const field = fieldOf(name)
    field.value = value
    start(name, field)
  }

  function start(name: string, field: Field): void {
    field.running ??= save(name, field).finally(() => {
      field.running = undefined
      deps.onChange()
      if (field.value !== field.saved) void retryLater(name, field)
    })
    deps.onChange()
  }

  async function retryLater(name: string, field: Field): Promise<void> {
    if (field.isWaiting) return
    field.isWaiting = true
    await deps.wait(laterRetryMs)
    field.isWaiting = false
    if (deps.isOpen() && field.value !== field.saved) start(name, field)
  }

  async function save(name: string, field: Field): Promise<void> {
    let failures = 0
    while (field.value !== field.saved) {
      field.status = 'saving'
      const { value } = field
      const problem = await saveOnce(name, field, value)
      if (problem === undefined) {
        failures = 0
        Object.assign(field, { saved: value, problem: undefined, status: value === undefined ? 'empty' : 'saved' })
        continue
      }
      Object.assign(field, { status: 'failed', problem })
      deps.onChange()
      const delay = retryDelaysMs[failures++]
      if (delay === undefined) return
      await deps.wait(delay)
    }
    Object.assign(field, { problem: undefined, status: field.value === undefined ? 'empty' : 'saved' })
  }

  async function saveOnce(name: string, field: Field, value: Value): Promise<string | undefined> {
    try {
      if (value !== undefined) field.id = await deps.store({ field: name, value, replaced: field.id })
      else if (field.id !== undefined) {
        await deps.remove(field.id)
        field.id = undefined
      }
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  }

  const isSaved = () => [...fields.values()].every((field) => field.value === field.saved && field.running === undefined)

  return {
    state(name) {
      const { value, status, problem } = fieldOf(name)
      return { value, status, problem }
    },
    set(name, value) {
      const field = fieldOf(name)
      if (field.value === value) return
      history.push({ field: name, value: field.value })
      if (history.length > maxHistory) history.shift()
      apply(name, value)
    },
    undo() {
      const last = history.pop()
      if (last) apply(last.field, last.value)
      return last?.field
    },
    retry() {
      for (const [name, field] of fields) if (field.value !== field.saved) start(name, field)
    },
    async settle() {
      await Promise.all([...fields.values()].map(({ running }) => running))
      return isSaved()
    },
    isSaved,
  }
}
