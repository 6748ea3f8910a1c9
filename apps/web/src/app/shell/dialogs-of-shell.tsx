import { useGlobalKeys } from '../keys/use-global-keys.ts'
import { useNotedPages } from '../go-to/use-noted-pages.ts'
import { lazyDialog } from '../../ui/lazy-part.tsx'

const KeysDialog = lazyDialog(() => import('../keys/keys-dialog.tsx').then(({ KeysDialog }) => KeysDialog))
const CommandPalette = lazyDialog(() => import('../go-to/command-palette.tsx').then(({ CommandPalette }) => CommandPalette))

export type ShellDialog = 'keys' | 'search'

/** The dialogs that every page has, with the keys that open them. */
export function DialogsOfShell({ shown, onShow }: { shown: ShellDialog | undefined; onShow: (dialog: ShellDialog | undefined) => void }) {
  useGlobalKeys({ onHelp: () => onShow('keys'), onGoTo: () => onShow('search') })
  useNotedPages()
  const close = () => onShow(undefined)
  return (
    <>
      {shown === 'keys' && <KeysDialog onClose={close} />}
      {shown === 'search' && <CommandPalette onClose={close} onHelp={() => onShow('keys')} />}
    </>
  )
}
