import { KeysTable, type PageKey } from '../../components/keys-table.tsx'

const keys: readonly PageKey[] = [
  { keys: '→ ←', does: 'next and previous item' },
  { keys: '↑ ↓', does: 'field' },
  { keys: '1–9', does: 'option of the field' },
  { keys: 'Enter', does: 'save what is typed' },
  { keys: 'Esc', does: 'leave the field' },
  { keys: 'Ctrl+Enter', does: 'complete and next' },
  { keys: 's', does: 'skip' },
  { keys: 'r', does: 'reopen what you completed or skipped' },
  { keys: 'u', does: 'undo the last change' },
  { keys: 'n', does: 'note' },
  { keys: 'c', does: 'corrected output' },
  { keys: '?', does: 'these keys' },
]

/** The keys of the page. */
export const AnnotateKeysHelp = () => <KeysTable keys={keys} />
