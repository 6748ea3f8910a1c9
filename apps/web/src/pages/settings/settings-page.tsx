import { getRouteApi, Link } from '@tanstack/react-router'
import type { Component } from '../../jsx/element-type.ts'
import { useProject } from '../../lib/use-project.ts'
import { cx } from '../../lib/cx.ts'
import { useMedia } from '../../lib/use-media.ts'
import { PageHead } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Assistants } from './assistants.tsx'
import { AuditLog } from './audit-log.tsx'
import { DeleteData } from './delete-data.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { Prices } from './prices.tsx'
import { PublicLinks } from './public-links.tsx'
import { Retention } from './retention.tsx'
import { ServerSettings } from './server-settings.tsx'
import { partGroups, partTitles } from './part-titles.ts'
import { type SettingsPart, settingsParts } from './settings-parts.ts'
import { Storage } from './storage.tsx'
import { Webhooks } from './webhooks.tsx'

const route = getRouteApi('/$entity/$project/settings')

const contents: Readonly<Record<SettingsPart, Component>> = {
  members: Members,
  keys: Keys,
  links: PublicLinks,
  webhooks: Webhooks,
  retention: Retention,
  usage: Storage,
  prices: Prices,
  audit: AuditLog,
  delete: DeleteData,
  assistants: Assistants,
  server: ServerSettings,
}
const choices = settingsParts.map((part) => ({ value: part, label: partTitles[part].title, icon: partTitles[part].icon }))

/** The settings of a project, one section at a time. */
export function SettingsPage() {
  const { entity, project } = useProject()
  const { part = 'members' } = route.useSearch()
  const navigate = route.useNavigate()
  const isNarrow = useMedia('(max-width: 1023px)')
  const Content = contents[part]
  return (
    <div data-flush className="flex h-full min-h-0">
      <PageHead
        trail={[
          <Link key="settings" to="/$entity/$project/settings" params={{ entity, project }}>
            Settings
          </Link>,
        ]}
        title={partTitles[part].title}
        actions={
          isNarrow && (
            <Select
              label="Section"
              inside
              choices={choices}
              value={part}
              onChange={(value) => void navigate({ search: { part: settingsParts.find((known) => known === value) } })}
            />
          )
        }
      />
      {!isNarrow && <PartLinks current={part} />}
      <div className="min-h-0 min-w-0 grow overflow-auto">
        <div className="mx-auto max-w-245 px-6 py-5 max-lg:px-4">
          <Content />
        </div>
      </div>
    </div>
  )
}

function PartLinks({ current }: { current: SettingsPart }) {
  return (
    <nav aria-label="Settings" className="w-52 shrink-0 overflow-auto border-r border-line p-3">
      {partGroups.map(({ title, parts }, at) => (
        <div key={title} className={cx(at > 0 && 'mt-4')}>
          <h2 className="mb-1 px-2 text-2xs font-medium text-fg-3">{title}</h2>
          <ul className="flex flex-col gap-px">
            {parts.map((part) => (
              <li key={part}>
                <PartLink part={part} isCurrent={part === current} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function PartLink({ part, isCurrent }: { part: SettingsPart; isCurrent: boolean }) {
  const { title, icon: Icon } = partTitles[part]
  return (
    <Link
      from="/$entity/$project/settings"
      to="."
      search={{ part }}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        'flex h-7 items-center gap-2 rounded-md px-2',
        isCurrent ? 'bg-active font-medium' : 'text-fg-2 pressable hover:text-fg',
      )}
    >
      <Icon size={15} strokeWidth={1.75} aria-hidden className={isCurrent ? 'text-accent-text' : 'text-fg-3'} />
      <span className="truncate">{title}</span>
    </Link>
  )
}
