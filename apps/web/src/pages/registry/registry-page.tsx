import { useQuery } from '@tanstack/react-query'
import { Package, Tag } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { EmptyState } from '../../ui/card.tsx'
import { lazyDialog } from '../../ui/lazy-part.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { timeColumn, actionsColumn, linkColumn, textColumn } from '../../ui/table/column-kinds.tsx'
import { VersionLabels } from '../../features/library/version-labels.tsx'
import type { NamedVersion } from '../../features/library/named-versions.ts'
import { maxVersions, namedVersionsQuery } from '../../features/library/named-versions-query.ts'
import { ListPage } from '../../ui/list-page.tsx'

const SetAliasDialog = lazyDialog(() => import('../../features/library/set-alias-dialog.tsx').then(({ SetAliasDialog }) => SetAliasDialog))

/** A version in one of the registries that hold it; without a link where only an alias names it. */
interface RegistryRow extends NamedVersion {
  id: string
  link: NamedVersion['links'][number] | undefined
}

const toRows = (version: NamedVersion): RegistryRow[] =>
  (version.links.length > 0 ? version.links : [undefined]).map((link, at) => ({
    ...version,
    id: `${version.isOp} ${version.objectId} ${version.digest} ${at}`,
    link,
  }))

/** The versions of the project that registries contain, and those with an alias such as `production`. */
export function RegistryPage() {
  const project = useProject()
  const query = useQuery(namedVersionsQuery(project.id))
  const rows = useMemo(() => query.data?.versions.flatMap(toRows), [query.data])
  const [named, setNamed] = useState<NamedVersion>()
  const columns = useMemo(() => columnsOf(project, rows ?? [], setNamed), [project.id, rows])
  return (
    <ListPage
      title="Registry"
      label="Named versions"
      name="registry"
      query={query}
      rows={rows}
      columns={columns}
      rowId={({ id }) => id}
      rowName={nameOf}
      linkOf={(row) => addressOf(project, row)}
      empty={
        <EmptyState icon={Package} title="No named versions yet">
          Give a version an alias such as production, or link it to a registry, from your code.
        </EmptyState>
      }
      footer={(all) =>
        `${countText(all.length, 'named version')}${query.data?.hasMore ? ` of the newest ${maxVersions.toLocaleString('en')}` : ''}`
      }
    >
      {named && (
        <SetAliasDialog version={{ name: named.objectId, digest: named.digest, index: named.index }} onClose={() => setNamed(undefined)} />
      )}
    </ListPage>
  )
}

const nameOf = ({ objectId, index }: RegistryRow) => `${objectId} v${index}`

const addressOf = ({ entity, project }: ProjectName, { objectId, isOp, digest }: NamedVersion) => ({
  to: '/$entity/$project/$kind/$object' as const,
  params: { entity, project, kind: isOp ? 'ops' : 'objects', object: objectId },
  search: { version: digest },
})

/** Those of links only where a row has one. */
const columnsOf = (project: ProjectName, rows: readonly RegistryRow[], onAlias: (version: NamedVersion) => void): Column<RegistryRow>[] => [
  linkColumn('version', 'Version', 'minmax(180px, 1.4fr)', nameOf, (row) => addressOf(project, row), { sort: ({ objectId }) => objectId }),
  {
    id: 'aliases',
    title: 'Aliases',
    width: 'minmax(160px, 1fr)',
    cell: ({ aliases }) =>
      aliases.length === 0 ? undefined : (
        <span className="flex gap-1 overflow-hidden">
          <VersionLabels aliases={aliases} tags={null} />
        </span>
      ),
  },
  ...(rows.some(({ link }) => link) ? linkColumns : []),
  // Ops have no aliases.
  actionsColumn(
    (row) =>
      !row.isOp && (
        <RowMenu of={`${readableName(row.objectId)} v${row.index}`}>
          <MenuItem icon={Tag} onClick={() => onAlias(row)}>
            Set alias…
          </MenuItem>
        </RowMenu>
      ),
  ),
]

const linkColumns: readonly Column<RegistryRow>[] = [
  {
    id: 'registry',
    title: 'Registry',
    width: 'minmax(200px, 1.6fr)',
    sort: ({ link }) => link?.portfolio_name ?? '',
    hint: ({ link }) => link && `${link.portfolio_name} v${link.version_index}, ${link.project_id}`,
    cell: ({ link }) =>
      link && (
        <span className="flex items-center gap-1.5 overflow-hidden">
          <span className="min-w-16 truncate">
            {link.portfolio_name} v{link.version_index}
          </span>{' '}
          <VersionLabels aliases={link.aliases} tags={null} />
          <span className="shrink-9999 truncate text-fg-3">{link.project_id}</span>
        </span>
      ),
  },
  textColumn('by', 'Linked by', 'minmax(96px, 0.7fr)', ({ link }) => link?.wb_user_id),
  timeColumn('linked', 'Linked', ({ link }) => link?.created_at),
]
