/** The action of a key on a page. */
export interface PageKey {
  keys: string
  does: string
}

export function KeysTable({ keys }: { keys: readonly PageKey[] }) {
  return (
    <table aria-label="Keys">
      <tbody>
        {keys.map((key) => (
          <tr key={key.keys + key.does}>
            <th scope="row">
              <kbd>{key.keys}</kbd>
            </th>
            <td>{key.does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
