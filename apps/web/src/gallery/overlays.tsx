import { ApiError } from '@heddle/core-api'
import { Copy, Ellipsis, FlaskConical, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DateRange } from '../ui/date-range.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { ConfirmDialog, Dialog, Drawer } from '../ui/dialog.tsx'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { Menu, MenuItem, MenuRadio, MenuSection, MenuSeparator } from '../ui/menu.tsx'
import { Popover } from '../ui/popover.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toast.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { Section } from './section.tsx'

const busy = new ApiError('unavailable', 'it is starting', { status: 503, requestId: 'request-1' })

const orders = [
  { value: 'newest', label: 'Newest' },
  { value: 'slowest', label: 'Slowest' },
  { value: 'cost', label: 'Highest cost', note: 'USD' },
]
const suggestions = ['model', 'status', 'latency'].map((value) => ({ value, group: 'Fields' }))

const presets = [
  { value: '1h', label: 'Last hour', short: '1h' },
  { value: '24h', label: 'Last 24 hours', short: '24h' },
]

export function Overlays() {
  const [range, setRange] = useState('24h')
  const rangeLabel = presets.find(({ value }) => value === range)?.label ?? 'Custom'
  const [order, setOrder] = useState('newest')
  const [picked, setPicked] = useState('')
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'drawer' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Section title="Menus">
        <Menu label="Trace" trigger={<IconButton label="More actions" icon={Ellipsis} />}>
          <MenuItem icon={Copy} keys="c" onClick={() => setPicked('copied')}>
            Copy ID
          </MenuItem>
          <MenuItem icon={FlaskConical}>Add to dataset…</MenuItem>
          <MenuSeparator />
          <MenuSection label="Sort">
            {orders.map(({ value, label }) => (
              <MenuRadio key={value} name="order" value={value} current={order} onPick={setOrder}>
                {label}
              </MenuRadio>
            ))}
          </MenuSection>
          <MenuSeparator />
          <MenuItem icon={Trash2} danger>
            Delete…
          </MenuItem>
        </Menu>
        <output aria-label="Picked">{picked}</output>
      </Section>
      <Section title="Selects">
        <Select label="Sort" choices={orders} value={order} onChange={setOrder} inside />
        <div className="w-48">
          <Select label="Order" choices={orders} value={order} onChange={setOrder} size="md" className="w-full" />
        </div>
        <Combobox label="Filter" placeholder="Filter or search…" suggestions={suggestions} onPick={setPicked} className="w-72" />
      </Section>
      <Section title="Popover and tooltips">
        <Popover label="Options" className="w-60 p-3" trigger={<Button>Options</Button>}>
          <p>Times in UTC</p>
          <Button className="mt-2">Apply</Button>
        </Popover>
        <DateRange
          presets={presets}
          value={range}
          label={rangeLabel}
          timeZone="UTC"
          onPreset={setRange}
          onTimes={(start, end) => setRange(`${start} ${end}`)}
        />
        <output aria-label="Range">{range}</output>
        <Tooltip text="Counts every model call of the trace" placement="top">
          <Button variant="ghost">Tokens</Button>
        </Tooltip>
      </Section>
      <Section title="Dialogs">
        <Button onClick={() => setOpen('dialog')}>New key…</Button>
        <Button variant="danger" onClick={() => setOpen('confirm')}>
          Delete 3 checkpoints…
        </Button>
        <Button onClick={() => setOpen('drawer')}>Peek</Button>
        <Button
          onClick={() =>
            toast({ title: 'Added 4 rows', text: 'Saved as version 8.', action: { label: 'Undo', run: () => setPicked('undone') } })
          }
        >
          Add rows
        </Button>
        <Button onClick={() => toast({ tone: 'error', title: 'Note not saved', error: busy })}>Fail</Button>
        <Dialog
          open={open === 'dialog'}
          onClose={close}
          title="New key"
          description="The key is shown once."
          footer={
            <DialogActions onCancel={close} onClick={close}>
              Create key
            </DialogActions>
          }
        />
        <ConfirmDialog
          open={open === 'confirm'}
          onClose={close}
          onConfirm={close}
          danger
          title="Delete 3 checkpoints?"
          action="Delete 3 checkpoints"
          description="Steps 0, 60 and 120 are deleted for good."
        />
      </Section>
      <div className="flex h-60 justify-end overflow-hidden rounded-lg border border-line">
        <Drawer open={open === 'drawer'} onClose={close} title="agent.run">
          <p className="p-4">Stays next to its list.</p>
        </Drawer>
      </div>
    </>
  )
}
