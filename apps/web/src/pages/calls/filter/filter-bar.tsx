import { Search, Square } from 'lucide-react'
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import type { CallsSearch } from '../../../features/calls/calls-search.ts'
import { searchedParts } from '../../../features/calls/conditions/text-filter.ts'
import { FilterProblemText } from '../../../features/filter/filter-field.tsx'
import { FilterInput } from '../../../features/filter/filter-input.tsx'
import { FilterProblem } from '../../../features/filter/read-tokens.ts'
import { problemOf, searchOfTyped } from '../../../features/calls/conditions/typed-filter.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const ConditionChips = lazyPart(() =>
  import('../../../features/calls/conditions/condition-chips.tsx').then(({ ConditionChips }) => ConditionChips),
)

interface Properties {
  project: string
  search: CallsSearch
  /** Fields that are suggested in addition to the usual ones. */
  paths: readonly string[]
  /** Calls are being looked through. */
  isSearching: boolean
  change: (part: CallsSearch) => void
  onStop: () => void
}

/** The filter of the rows, in one field: a chip for each condition in effect, and a text for further ones, or for a text search. */
export function FilterBar({ project, search, paths, isSearching, change, onStop }: Properties) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [typedProblem, setTypedProblem] = useState<FilterProblem>()
  const problem = typedProblem ?? problemOf(search.filter)
  useSlashKey(input)

  function apply(event: FormEvent) {
    event.preventDefault()
    try {
      const added = searchOfTyped(text, search)
      if (Object.keys(added).length > 0) change(added)
      setText('')
    } catch (error) {
      if (!(error instanceof FilterProblem)) throw error
      setTypedProblem(error)
      input.current?.setSelectionRange(error.at, text.length)
    }
  }
  function write(next: string) {
    setText(next)
    setTypedProblem(undefined)
  }
  function edit(next: string) {
    // The text must be in the field before it is focused, since the filter depends on the cursor.
    flushSync(() => write(next))
    input.current?.setSelectionRange(next.length, next.length)
    input.current?.focus()
  }

  return (
    <form role="search" aria-label="Filter" onSubmit={apply} className="min-w-0 grow">
      <div className="field relative flex min-h-8 flex-wrap items-center gap-1.5 px-2.5 py-0.75">
        <Search size={14} aria-hidden className="text-fg-3" />
        {hasConditions(search) && (
          <Suspense>
            <ConditionChips search={search} change={change} onEdit={edit} />
          </Suspense>
        )}
        <FilterInput
          project={project}
          input={input}
          text={text}
          paths={paths}
          problem={problem}
          placeholder="Filter or search…"
          onText={write}
        />
        {search.text !== undefined && isSearching && (
          <Button type="button" variant="ghost" icon={Square} onClick={onStop} className="h-6">
            Stop
          </Button>
        )}
        <kbd aria-hidden className="text-2xs text-fg-3">
          /
        </kbd>
      </div>
      <FilterProblemText problem={problem} />
      {search.text !== undefined && (
        <p className="mt-1 text-xs text-fg-3">
          {`Looks in ${searchedParts} of ${search.level === 'all' ? 'all spans' : 'traces'}, the newest first.`}
        </p>
      )}
    </form>
  )
}

const hasConditions = ({ where, filter, text, traces, status, review }: CallsSearch) =>
  [where, filter, text, traces, status, review].some((part) => part !== undefined)

/** Focuses the field from anywhere in the page unless the user is typing. */
function useSlashKey(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event
      const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [input])
}
