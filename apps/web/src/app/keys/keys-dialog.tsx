import { useLocation } from '@tanstack/react-router'
import { KeysTable } from '../../components/keys-table.tsx'
import { ModalDialog } from '../../components/modal-dialog.tsx'
import { keysOf } from './page-keys.ts'

/** The keys of the page that is open. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  return (
    <ModalDialog label="Keys of this page" onClose={onClose}>
      <h2>Keys of this page</h2>
      <KeysTable keys={keysOf(pathname)} />
      <button type="button" onClick={onClose}>
        Close
      </button>
    </ModalDialog>
  )
}
