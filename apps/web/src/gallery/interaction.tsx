import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { Download, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/button-link.tsx'
import { Button, type ButtonVariant, IconButton } from '../ui/button.tsx'
import { Checkbox, Input, Slider, Switch } from '../ui/field.tsx'
import { Fold } from '../ui/fold.tsx'
import { ListTable } from '../ui/list-table.tsx'
import { Radios } from '../ui/radios.tsx'
import { Select } from '../ui/select.tsx'
import { SideItem, sideLink } from '../ui/side-list.tsx'
import { Segmented, Tabs } from '../ui/tabs.tsx'
import { TextButton } from '../ui/text-button.tsx'
import { momentaryStates, Shown } from './shown-states.tsx'

interface Part {
  name: string
  usual: ReactNode
  selected?: ReactNode
  disabled?: ReactNode
}

const button = (variant: ButtonVariant): Part => ({
  name: `Button, ${variant}`,
  usual: (
    <Button variant={variant} icon={Plus}>
      New run
    </Button>
  ),
  selected: (variant === 'secondary' || variant === 'ghost') && (
    <Button variant={variant} aria-pressed icon={Plus}>
      New run
    </Button>
  ),
  disabled: (
    <Button variant={variant} icon={Plus} disabled>
      New run
    </Button>
  ),
})

const ignore = () => undefined
const orders = [{ value: 'newest', label: 'Newest' }]
const views = [
  { value: 'list', label: 'List' },
  { value: 'graph', label: 'Graph' },
]
const tabs = [
  { id: 'messages', label: 'Messages' },
  { id: 'attributes', label: 'Attributes' },
]
const answer = [{ value: 'yes', label: 'Yes' }]
const rows = [{ name: 'agent.run' }]

const sideItem = (current?: 'page') => (
  <a href="#interaction" className={sideLink} aria-current={current}>
    <SideItem name="support-agent" note="3 versions" />
  </a>
)
const table = (picked: boolean) => (
  <ListTable
    label={picked ? 'A chosen row' : 'A row'}
    rows={rows}
    rowId={({ name }) => name}
    picked={() => picked}
    minWidth={120}
    columns={[{ id: 'name', title: 'Name', cell: ({ name }) => name }]}
  />
)

const parts: Part[] = [
  ...(['primary', 'secondary', 'ghost', 'danger'] as const).map(button),
  {
    name: 'Icon button',
    usual: <IconButton label="Download" icon={Download} />,
    selected: <IconButton label="Download" icon={Download} aria-pressed />,
    disabled: <IconButton label="Download" icon={Download} disabled />,
  },
  {
    name: 'Link as button',
    usual: (
      <ButtonLink to="/" hash="elsewhere" activeOptions={{ includeHash: true }}>
        Open
      </ButtonLink>
    ),
  },
  { name: 'Text button', usual: <TextButton>Release</TextButton>, disabled: <TextButton disabled>Release</TextButton> },
  {
    name: 'Select',
    usual: <Select label="Sort" inside choices={orders} value="newest" />,
    disabled: <Select label="Sort" inside choices={orders} value="newest" disabled />,
  },
  {
    name: 'Input',
    usual: <Input aria-label="Name" defaultValue="agent" />,
    disabled: <Input aria-label="Name" defaultValue="agent" disabled />,
  },
  {
    name: 'Checkbox',
    usual: <Checkbox label="Errors" checked={false} onChange={ignore} />,
    selected: <Checkbox label="Errors" checked onChange={ignore} />,
    disabled: <Checkbox label="Errors" checked={false} disabled />,
  },
  {
    name: 'Switch',
    usual: <Switch label="Live" checked={false} onChange={ignore} />,
    selected: <Switch label="Live" checked onChange={ignore} />,
  },
  { name: 'Slider', usual: <Slider label="Smoothing" value={0.5} min={0} max={1} step={0.1} onChange={ignore} /> },
  {
    name: 'Radio',
    usual: <Radios choices={answer} value={undefined} onChange={ignore} />,
    selected: <Radios choices={answer} value="yes" onChange={ignore} />,
  },
  { name: 'Segmented', usual: <Segmented label="View" items={views} value="list" /> },
  { name: 'Tabs', usual: <Tabs label="Details" tabs={tabs} value="messages" onChange={ignore} /> },
  {
    name: 'Fold',
    usual: (
      <Fold icon={Plus} title="Thinking">
        Text
      </Fold>
    ),
  },
  { name: 'Item of a side list', usual: sideItem(), selected: sideItem('page') },
  { name: 'Row', usual: table(false), selected: table(true) },
]

/** Links need a router; here it has a single page. */
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
const heads = ['Part', 'Usual', ...momentaryStates, 'Selected', 'Disabled']

/** Each part under the pointer, with the focus, held down, selected and disabled, side by side. */
export const Interaction = () => (
  <RouterContextProvider router={router as never}>
    <div className="overflow-x-auto rounded-lg border border-line bg-sheet" role="region" aria-label="States" tabIndex={0}>
      <table aria-label="States" className="w-full">
        <thead>
          <tr className="h-8 border-b border-line bg-sunken text-xs text-fg-3">
            {heads.map((head) => (
              <th key={head} scope="col" className="px-3 text-left font-normal capitalize">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map(({ name, usual, selected, disabled }) => (
            <tr key={name} className="border-b border-line last:border-0">
              <th scope="row" className="px-3 py-2 text-left font-normal whitespace-nowrap text-fg-2">
                {name}
              </th>
              {[undefined, ...momentaryStates].map((state) => (
                <td key={state ?? 'usual'} className="min-w-30 px-3 py-2">
                  <Shown state={state}>{usual}</Shown>
                </td>
              ))}
              <td className="min-w-30 px-3 py-2">{selected}</td>
              <td className="min-w-30 px-3 py-2">{disabled}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </RouterContextProvider>
)
