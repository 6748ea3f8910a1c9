import { KeysTable, type PageKey } from '../../ui/table/keys-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'

const keys: readonly PageKey[] = [
  { keys: '→ ←', does: 'next and previous item' },
  { keys: '↑ ↓', does: 'question' },
  { keys: '1–9', does: 'answer of the question' },
  { keys: 'Enter', does: 'save what is typed' },
  { keys: 'Esc', does: 'leave the field' },
  { keys: 'Ctrl+Enter', does: 'complete and next' },
  { keys: 's', does: 'skip' },
  { keys: 'r', does: 'reopen what you completed or skipped' },
  { keys: 'u', does: 'undo the last change' },
  { keys: 'n', does: 'note' },
  { keys: 'c', does: 'correction' },
  { keys: '?', does: 'these keys' },
]

/** The keys of the page. */
export const AnnotateKeysHelp = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" width="w-[560px]">
    <KeysTable keys={keys} />
  </Dialog>
)
