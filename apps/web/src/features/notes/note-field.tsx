import './notes.css'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { mentionAt, namesFor, withMention } from './mention-at.ts'
import { Textarea } from '../../ui/field.tsx'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'

interface Properties extends Pick<ComponentProps<'textarea'>, 'id' | 'rows' | 'maxLength' | 'onBlur'> {
  /** Identifies the field for the page's keyboard shortcuts. */
  'data-commit'?: string
  value: string
  onChange: (value: string) => void
}

const noNames: readonly string[] = []

/**
 * The text of a note. After an `@` it suggests users of the project: arrow keys select, Enter and Tab accept, Escape closes. It remains a multi-line
 * text field for screen readers, which announce the selected suggestion and the number of suggestions.
 */
export function NoteField({ value, onChange, onBlur, ...properties }: Properties) {
  const { id: project } = useProject()
  const [cursor, setCursor] = useState<number>()
  const [closedAt, setClosedAt] = useState<number>()
  const [active, setActive] = useState(0)
  const written = useRef<number>(undefined)
  const input = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const members = useQuery({ ...membersQuery(project), enabled: cursor !== undefined }).data?.members ?? noNames
  const at = cursor === undefined ? undefined : mentionAt(value, cursor)
  const names = at === undefined || at.from === closedAt ? noNames : namesFor(at.typed, members)
  const chosen = Math.min(active, names.length - 1)
  // React writes the text after the name was taken; the cursor follows it.
  useLayoutEffect(() => {
    if (written.current !== undefined) input.current?.setSelectionRange(written.current, written.current)
    written.current = undefined
  }, [value])

  function move(next: number | undefined) {
    setCursor(next)
    setActive(0)
    if (next === undefined || mentionAt(value, next)?.from !== closedAt) setClosedAt(undefined)
  }
  function take(name: string | undefined) {
    if (at === undefined || cursor === undefined || name === undefined) return
    const next = withMention(value, { at, cursor, name })
    written.current = next.cursor
    setCursor(next.cursor)
    onChange(next.text)
  }
  function press(event: KeyboardEvent) {
    const action = names.length === 0 || event.nativeEvent.isComposing ? undefined : actionOf(event)
    if (action === undefined) return
    event.preventDefault()
    if (action === 'take') take(names[chosen])
    else if (action === 'close') setClosedAt(at?.from)
    else setActive((chosen + action + names.length) % names.length)
  }

  return (
    <div className="note-field">
      <Textarea
        {...properties}
        ref={input}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={names.length > 0 ? listId : undefined}
        aria-activedescendant={names.length > 0 ? `${listId}-${chosen}` : undefined}
        value={value}
        onKeyDown={press}
        onSelect={({ currentTarget: { selectionStart } }) => {
          if (selectionStart !== cursor) move(selectionStart)
        }}
        onFocus={({ target }) => move(target.selectionStart)}
        onBlur={(event) => {
          move(undefined)
          onBlur?.(event)
        }}
        onChange={({ target }) => {
          move(target.selectionStart)
          onChange(target.value)
        }}
      />
      {names.length > 0 && (
        <ul id={listId} role="listbox" aria-label="People to mention" className="people">
          {names.map((name, place) => (
            <li
              key={name}
              id={`${listId}-${place}`}
              role="option"
              aria-selected={place === chosen}
              // Before the field is left, which would take the offers away.
              onMouseDown={(event) => {
                event.preventDefault()
                take(name)
              }}
            >
              {name}
            </li>
          ))}
        </ul>
      )}
      <span role="status" className="sr-only">
        {names.length > 0 && `${countText(names.length, 'person', 'people')} to mention: arrow keys choose, Enter takes`}
      </span>
    </div>
  )
}

/** A step up or down in the list, or what else a key does while it is open. */
function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): 1 | -1 | 'take' | 'close' | undefined {
  if (shiftKey || ctrlKey || metaKey || altKey) return undefined
  return ({ ArrowDown: 1, ArrowUp: -1, Enter: 'take', Tab: 'take', Escape: 'close' } as const)[key]
}

/** The users of a project that a note may mention. */
const membersQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['members', project_id],
    queryFn: ({ signal }) => client.projects.queryMembers({ project_id }, { signal }),
    staleTime: 60_000,
  })
