import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../lib/use-project.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { type LibraryKind, libraryKinds } from '../../features/library/library-kinds.ts'

/** Prompts have a separate page in the navigation. */
const tabs = libraryKinds.filter(({ path }) => path !== 'prompts').map(({ path, title }) => ({ id: path, label: title }))

/** Leads between the kinds of the library. */
export function LibraryTabs({ kind }: { kind: LibraryKind }) {
  const { entity, project } = useProject()
  const navigate = useNavigate()
  if (kind.path === 'prompts') return null
  return (
    <Tabs
      label="Kinds of the library"
      tabs={tabs}
      value={kind.path}
      onChange={(path) => void navigate({ to: '/$entity/$project/$kind', params: { entity, project, kind: path } })}
    />
  )
}
