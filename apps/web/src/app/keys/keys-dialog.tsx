import { useLocation } from '@tanstack/react-router'
import { ModalDialog } from '../../components/modal-dialog.tsx'
import { keysOf } from './page-keys.ts'

/** The keys of the page that is open. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  return (
    <ModalDialog label="Keys of this page" onClose={onClose}>
      <h2>Keys of this page</h2>
      <table aria-label="Keys">
        <tbody>
          {keysOf(pathname).map(({ keys, does }) => (
            <tr key={keys + does}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </ModalDialog>
  )
}
