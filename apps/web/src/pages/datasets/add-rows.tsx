import { useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import type { Row } from './rows/parse-rows.ts'
import { RowsFile } from './rows/rows-file.tsx'

interface Properties {
  onAdd: (rows: readonly Row[]) => void
  onClose: () => void
}

/** Rows of a file, shown before they are added to those of the version. */
export function AddRows({ onAdd, onClose }: Properties) {
  const [rows, setRows] = useState<readonly Row[]>([])
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add rows"
      width="w-[640px]"
      footer={
        <DialogActions
          onCancel={onClose}
          disabled={rows.length === 0}
          onClick={() => {
            onAdd(rows)
            onClose()
          }}
        >
          {rows.length === 0 ? 'Add' : `Add ${countText(rows.length, 'row')}`}
        </DialogActions>
      }
    >
      <div className="flex flex-col gap-4 pb-4">
        <RowsFile onRows={setRows} />
      </div>
    </Dialog>
  )
}
