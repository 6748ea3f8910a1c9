import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider, Dialog } from '@ariakit/react'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Search, ArrowRight, BookOpen, Keyboard, type LucideIcon, Moon } from 'lucide-react'
import { Fragment, type MouseEvent, useMemo, useState } from 'react'
import { SentenceCase } from '../../ui/texts/sentence-case.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { addressOf } from '../../lib/server/base-path.ts'
import { useTheme } from '../../features/theme/use-theme.ts'
import { useProjectIfAny } from '../../lib/use-project.ts'
import { actionsOf } from './actions.ts'
import { readRecentPages } from './recent-pages.ts'
import { callTargetQuery, namedTargetsQuery, searchedObjects } from './target-queries.ts'
import { findTargets, isCallId, pageTargets, type Target } from './targets.ts'
import { isPageOf, navigation } from '../navigation.ts'

const groups: Readonly<Record<string, string>> = { recent: 'Recent', action: 'Actions', page: 'Go to' }

/** Above the targets of a kind, where nothing is searched. */
const titleOfGroup = (kind: string): string => groups[kind] ?? 'Found'

const iconsOfActions: Readonly<Record<string, LucideIcon>> = { 'action:docs': BookOpen, 'action:keys': Keyboard }
const pages = navigation.flatMap((group) => group.pages)

/** The icon of the page that an address belongs to. */
function iconOf({ href, kind }: Target): LucideIcon {
  if (kind === 'action') return iconsOfActions[href] ?? Moon
  const [, entity, project, ...below] = (href.split(/[?#]/)[0] ?? '').split('/')
  if (!entity || project === undefined) return ArrowRight
  return pages.find((page) => isPageOf(page, below.join('/')))?.icon ?? ArrowRight
}

const maxRecent = 5

/** Search over pages, calls by id, objects, runs, queues, models, training jobs and recent pages, and the actions available on every page. */
export function CommandPalette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const router = useRouter()
  const project = useProjectIfAny()
  const theme = useTheme()
  const [text, setText] = useState('')
  const recent = useMemo(() => readRecentPages(window.sessionStorage), [])
  const named = useQuery(namedTargetsQuery(project))
  const call = useQuery(callTargetQuery(project?.id, text.trim(), isCallId(text)))
  const actions = useMemo(() => actionsOf(theme, onHelp), [theme, onHelp])
  const isEmpty = text.trim() === ''
  const found = isEmpty
    ? findTargets([...recent.slice(0, maxRecent), ...actions, ...pageTargets(project?.id)], '')
    : [...(call.data ?? []), ...findTargets([...recent, ...pageTargets(project?.id), ...(named.data ?? []), ...actions], text)]

  function open({ href, run }: Target, { ctrlKey, metaKey }: MouseEvent) {
    if (!run && (ctrlKey || metaKey)) return void window.open(addressOf(href), '_blank', 'noopener')
    onClose()
    if (run) run()
    else router.history.push(addressOf(href))
  }

  return (
    <Dialog
      open
      onClose={onClose}
      aria-label="Search"
      backdrop={<div className="bg-backdrop" />}
      className="pop fixed top-[14vh] left-1/2 z-50 flex w-[600px] max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col overflow-hidden rounded-xl"
    >
      <ComboboxProvider value={text} setValue={setText} focusLoop includesBaseElement={false}>
        <div className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
          <Search size={16} aria-hidden className="text-fg-3" />
          <Combobox
            autoSelect="always"
            autoFocus
            aria-label="Search pages, traces by ID, runs, models and objects"
            placeholder="Search pages, runs, models, or paste the ID of a trace"
            className="min-w-0 grow bg-transparent text-base outline-none"
          />
        </div>
        <ComboboxList alwaysVisible aria-label="Found" className="max-h-[min(380px,56vh)] overflow-auto p-1.5">
          {found.map((target, at) => (
            // By place: the first stays chosen when another one comes before it.
            <Fragment key={String(at)}>
              {isEmpty && target.kind !== found[at - 1]?.kind && (
                <div aria-hidden className="px-2 pt-2 pb-1 text-2xs text-fg-3">
                  {titleOfGroup(target.kind)}
                </div>
              )}
              <FoundItem target={target} hasKind={!isEmpty} onOpen={(event) => open(target, event)} />
            </Fragment>
          ))}
        </ComboboxList>
        {found.length === 0 && (
          <p role="status" className="px-4 pb-6 text-center text-fg-3">
            {call.isFetching || named.isFetching
              ? 'Searching…'
              : `No page, and none of the newest ${searchedObjects} objects, runs, queues, models and jobs. Find a trace by its whole ID.`}
          </p>
        )}
      </ComboboxProvider>
      <div className="flex h-9 shrink-0 items-center gap-4 border-t border-line bg-sunken px-4 text-xs text-fg-3">
        <Hint keys={['up', 'down']} text="Move" />
        <Hint keys={['enter']} text="Open" />
        <Hint keys={['mod+enter']} text="New tab" />
      </div>
    </Dialog>
  )
}

/** Under the title of its group, which is hidden from screen readers, the kind of an item is for them alone. */
function FoundItem({ target, hasKind, onOpen }: { target: Target; hasKind: boolean; onOpen: (event: MouseEvent) => void }) {
  const Icon = iconOf(target)
  return (
    <ComboboxItem value={target.title} setValueOnClick={false} hideOnClick={false} onClick={onOpen} className="item min-h-9">
      <Icon size={16} strokeWidth={1.75} aria-hidden className="text-fg-3" />
      <span className="min-w-0 grow truncate">{target.title}</span>{' '}
      <span className={hasKind ? 'shrink-0 text-xs text-fg-3' : 'sr-only'}>
        <SentenceCase text={target.kind} />
      </span>
    </ComboboxItem>
  )
}

function Hint({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      {keys.map((key) => (
        <KeyHint key={key} keys={key} />
      ))}
      {text}
    </span>
  )
}
