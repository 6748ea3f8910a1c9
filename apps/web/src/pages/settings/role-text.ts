/** A role, with the scopes that a key is limited to. */
export const roleText = ({ role, scopes }: { role: string; scopes: readonly string[] }) =>
  scopes.length === 0 ? role : `${role}, only ${scopes.join(' and ')}`
