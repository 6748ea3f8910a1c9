/** The action of a key on a page. */
export interface PageKey {
  keys: string
  does: string
}

export function KeysTable({ keys }: { keys: readonly PageKey[] }) {
  return (
    <table aria-label="Keys" className="w-full">
      <tbody>
        {keys.map((key) => (
          <tr key={key.keys + key.does} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 pr-4 text-left align-top font-normal whitespace-nowrap text-fg-3">
              <kbd className="rounded-sm border border-line-2 bg-sunken px-1.5 font-sans text-2xs">{key.keys}</kbd>
            </th>
            <td className="py-1.5 align-top">{key.does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
