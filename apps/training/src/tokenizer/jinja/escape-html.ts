const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>'"]/g, (sign) => signs[sign]!)
}
