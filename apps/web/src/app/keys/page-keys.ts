import type { PageKey } from '../../ui/table/keys-table.tsx'

const everywhere: readonly PageKey[] = [
  { keys: 'Ctrl+K or ⌘K', does: 'go to a page, a call by its id, an object, a run or a recent page' },
  { keys: '?', does: 'these keys' },
  { keys: 'Tab and Shift+Tab', does: 'next and previous control' },
  { keys: 'Esc', does: 'close a dialog' },
]

/** Keys of pages, by what their address has after the project. The first that matches counts. */
const ofPages: readonly { path: RegExp; keys: readonly PageKey[] }[] = [
  {
    path: /^calls\/[^/]+$/,
    keys: [
      { keys: '↑ ↓', does: 'in the tree: previous and next call' },
      { keys: '← →', does: 'in the tree: close and open what is below the call' },
      { keys: 'j and k', does: 'next and previous trace of the list' },
      { keys: 'n', does: 'write a note on the span' },
    ],
  },
  {
    path: /^calls$/,
    keys: [
      { keys: '↑ ↓, Page Up, Page Down, Home, End', does: 'in the rows: choose a call' },
      { keys: 'Enter', does: 'on the chosen row: open its trace' },
      { keys: 'Space', does: 'on the chosen row: show the call beside the list' },
      { keys: 'f', does: 'on the chosen row: its fields, as conditions or columns' },
      { keys: 'x', does: 'on the chosen row: select it for an action, or leave it out again' },
      { keys: '↑ ↓, then Enter', does: 'in the filter: take an offer' },
    ],
  },
  {
    path: /^datasets\/[^/]+$/,
    keys: [
      { keys: '↑ ↓, Page Up, Page Down, Home, End', does: 'in the rows: choose a row' },
      { keys: 'Space or Enter', does: 'on the chosen row: show it whole beside the others' },
      { keys: 'Esc', does: 'close the row beside the others' },
    ],
  },
  {
    path: /^evaluations$/,
    keys: [
      { keys: 'x', does: 'on the chosen row: choose it for a comparison, or leave it out again' },
      { keys: 'Enter', does: 'on the chosen row: open the run' },
    ],
  },
  {
    path: /^evaluations\/(runs|compare)/,
    keys: [
      { keys: '↑ ↓, Page Up, Page Down, Home, End', does: 'in the rows: choose a row' },
      { keys: 'Enter', does: 'on the chosen row: show it whole; on the head of a column: order rows by it' },
    ],
  },
  {
    path: /^training\/jobs\/[^/]+$/,
    keys: [
      { keys: 'Enter', does: 'on a bin of the rewards: choose its groups, or all again' },
      { keys: '↑ ↓', does: 'in the lists of steps and groups: show the next one beside them' },
      { keys: 'Esc', does: 'beside the page: close the step or group' },
    ],
  },
  {
    path: /^dashboards\/[^/]+$/,
    keys: [
      { keys: '← →', does: 'on the place of a chart, while the dashboard is edited: move the chart' },
      { keys: 'Enter', does: 'on a point of a chart: its calls, or its feedback' },
    ],
  },
  { path: /^playground$/, keys: [{ keys: 'Ctrl+Enter or ⌘Enter', does: 'in a field: run the variants' }] },
  { path: /^training\/jobs\/.+\/groups\//, keys: [{ keys: '← →', does: 'in the trajectories: scroll sideways' }] },
]

/** The keys of the page at an address, its own before those of every page. */
export function keysOf(pathname: string): readonly PageKey[] {
  const path = pathname.split('/').slice(3).join('/')
  return [...(ofPages.find((page) => page.path.test(path))?.keys ?? []), ...everywhere]
}
