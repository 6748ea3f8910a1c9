import { useLocation } from '@tanstack/react-router'
import { KeysTable } from '../../ui/table/keys-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { keysOf } from './page-keys.ts'

/** The keys of the page that is open. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  return (
    <Dialog
      open
      onClose={onClose}
      title="Keys of this page"
      width="w-[560px]"
      footer={
        <Button size="md" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="max-h-[56vh] overflow-auto">
        <KeysTable keys={keysOf(pathname)} />
      </div>
    </Dialog>
  )
}
