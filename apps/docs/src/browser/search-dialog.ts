import type { SearchEntry } from '../search-text.ts'
import { element, elementById } from './elements.ts'
import { createSearchIndex, type SearchResult } from './search-index.ts'

type Search = ReturnType<typeof createSearchIndex>

/** The dialog that searches the pages, opened by the button in the head, `/` and Ctrl+K. */
export function openSearch(): void {
  const { root = './', search: textAddress = '' } = document.documentElement.dataset
  const input = element('input', {
    type: 'search',
    'aria-label': 'Search the documentation',
    placeholder: 'Search the documentation',
    autocomplete: 'off',
  })
  const status = element('p', { role: 'status' })
  const list = element('ul')
  const close = element('button', { type: 'button', class: 'quiet' }, 'Close')
  const dialog = element(
    'dialog',
    { class: 'search-dialog', 'aria-label': 'Search' },
    element('div', { class: 'search-head' }, input, close),
    status,
    list,
  )
  document.body.append(dialog)

  let loading: Promise<Search> | undefined
  const load = () => (loading ??= loadSearch(textAddress))

  async function show(): Promise<void> {
    const query = input.value.trim()
    let found: SearchResult[] = []
    try {
      if (query !== '') found = (await load())(query)
    } catch {
      loading = undefined
      status.textContent = 'The text for the search could not be loaded. Check the connection, then type again.'
      return
    }
    if (query !== input.value.trim()) return
    list.replaceChildren(...found.map((one) => itemOf(one, root)))
    status.textContent = query === '' ? '' : found.length === 0 ? `Nothing found for “${query}”` : `${found.length} found`
  }

  const open = () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    void load().catch(() => (loading = undefined))
  }
  input.addEventListener('input', () => void show())
  close.addEventListener('click', () => dialog.close())
  list.addEventListener('click', () => dialog.close())
  dialog.addEventListener('keydown', (event) => moveByArrows(event, input, list))
  // A field for a search takes this key for itself, to become empty.
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') dialog.close()
  })
  elementById('search').addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    if (!opensSearch(event)) return
    event.preventDefault()
    open()
  })
}

async function loadSearch(address: string): Promise<Search> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`the text for the search was answered with ${response.status}`)
  return createSearchIndex((await response.json()) as SearchEntry[])
}

function itemOf({ address, title, heading, excerpt }: SearchResult, root: string): HTMLLIElement {
  const name = heading === title ? title : `${title} › ${heading}`
  return element('li', {}, element('a', { href: root + address }, element('strong', {}, name), element('span', {}, excerpt)))
}

function moveByArrows(event: KeyboardEvent, input: HTMLElement, list: HTMLElement): void {
  const links = [...list.querySelectorAll('a')]
  if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || links.length === 0) return
  event.preventDefault()
  const at = links.findIndex((link) => link === document.activeElement) + step
  const next = at < 0 ? input : links[Math.min(at, links.length - 1)]
  next?.focus()
}

function opensSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if ((ctrlKey || metaKey) && key === 'k') return true
  const isWriting = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isWriting
}
