import { Tag, X } from 'lucide-react'
import { useState } from 'react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import type { ObjectVersion } from '../../features/library/library-queries.ts'
import { useMoveAlias } from '../../features/library/use-move-alias.ts'
import { lazyDialog } from '../../ui/lazy-part.tsx'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'

const SetAliasDialog = lazyDialog(() => import('../../features/library/set-alias-dialog.tsx').then(({ SetAliasDialog }) => SetAliasDialog))

/** Aliases of a version that the menu offers to remove. */
const maxListed = 20

/** What can be done with a version of an object, which is not an op. */
export function VersionMenu({ name, shown: { digest, version_index: index, aliases } }: { name: string; shown: ObjectVersion }) {
  const [isSetting, setSetting] = useState(false)
  const move = useMoveAlias(name)
  const removable = (aliases ?? []).filter((alias) => alias !== 'latest').slice(0, maxListed)
  const remove = (alias: string) =>
    move.mutate(
      { alias, to: undefined, from: digest },
      { onError: (error) => toast({ tone: 'error', title: `@${alias} could not be removed`, error }) },
    )
  return (
    <>
      <MoreMenu>
        <MenuItem icon={Tag} onClick={() => setSetting(true)}>
          Set alias…
        </MenuItem>
        {removable.length > 0 && <MenuSeparator />}
        {removable.map((alias) => (
          <MenuItem key={alias} icon={X} onClick={() => remove(alias)}>
            <span className="block max-w-72 truncate">Remove @{alias}</span>
          </MenuItem>
        ))}
      </MoreMenu>
      {isSetting && <SetAliasDialog version={{ name, digest, index }} onClose={() => setSetting(false)} />}
    </>
  )
}
