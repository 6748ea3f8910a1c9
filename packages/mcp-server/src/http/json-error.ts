/** An error outside a call, as JSON-RPC has it. */
export function jsonError(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers })
}
