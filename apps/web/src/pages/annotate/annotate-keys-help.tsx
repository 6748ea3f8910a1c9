const keys: readonly [string, string][] = [
  ['→ ←', 'next and previous item'],
  ['↑ ↓', 'field'],
  ['1–9', 'option of the field'],
  ['Enter', 'save what is typed'],
  ['Esc', 'leave the field'],
  ['Ctrl+Enter', 'complete and next'],
  ['s', 'skip'],
  ['u', 'undo the last change'],
  ['n', 'note'],
  ['?', 'these keys'],
]

/** The keys of the page. */
export function AnnotateKeysHelp() {
  return (
    <table aria-label="Keys">
      <tbody>
        {keys.map(([key, meaning]) => (
          <tr key={key}>
            <th scope="row">
              <kbd>{key}</kbd>
            </th>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
