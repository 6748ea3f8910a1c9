const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]\\d|\\d)'
const ipv4 = `(?:${octet}\\.){3}${octet}`
const group = '[0-9a-fA-F]{1,4}'
/** Up to `count` groups before the gap, and up to the remaining number after it. */
const withGap = (before: number) => `(?:${group}(?::${group}){${before - 1}})?::(?:${group}(?::${group}){0,${6 - before}})?`
const ipv6 = `(?:${['(?:G:){7}G'.replaceAll('G', group), ...[1, 2, 3, 4, 5, 6].map(withGap), `(?:${group}:){7}:`].join('|')})`
const label = '[A-Za-z0-9](?:-?[A-Za-z0-9])*'
/** Far below the limits of 63 characters for a label, and 253 for a whole name. */
const shortLabel = '[A-Za-z0-9](?:-?[A-Za-z0-9]){0,20}'
const hostname = `(?:${shortLabel}\\.){0,4}${shortLabel}`
const month = '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))'
const leapYear = '(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)'
const date = `(?:${leapYear}-02-29|\\d{4}-${month})`
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
/** Days, hours, minutes and seconds in their order, none of which must be there but one behind each letter that begins a part. */
const timeOfDuration = 'T(?:nH(?:nM(?:nS)?)?|nM(?:nS)?|nS)'
const duration = `P(?:nW|(?:nY(?:nM(?:nD)?)?|nM(?:nD)?|nD)(?:${timeOfDuration})?|${timeOfDuration})`.replaceAll('n', '\\d{1,4}')
const inUri = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})"
const host = `(?:(?:${shortLabel}\\.){0,4}[A-Za-z](?:-?[A-Za-z0-9]){0,20}|${ipv4})`
const uri = `(?:[A-Za-z][A-Za-z0-9+.-]*://${host}(?::\\d{1,4})?(?:[/?]${inUri}*)?(?:#${inUri}*)?|(?:mailto|tel|urn):[A-Za-z0-9]${inUri}*)`
const anyEmail = `[A-Za-z0-9_'+-]+(?:\\.[A-Za-z0-9_'+-]+)*@(?:${label}\\.)+[A-Za-z]{2,}`
const email = `[A-Za-z0-9_'+-]{1,20}(?:\\.[A-Za-z0-9_'+-]{1,20}){0,2}@(?:${shortLabel}\\.){1,4}[A-Za-z]{2,12}`
const uuid = (version: string) => `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-${version}[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}`
const uuidOfVersion = (version: number) => `^${uuid(String(version))}$`
/** A network has no bits set behind its prefix. */
const ipv4Network = `(?:0\\.0\\.0\\.0/0|${octet}\\.0\\.0\\.0/8|(?:${octet}\\.){2}0\\.0/16|(?:${octet}\\.){3}0/24|${ipv4}/32)`
const prefix = { ipv4: '(?:3[0-2]|[12]\\d|\\d)', ipv6: '(?:12[0-8]|1[01]\\d|[1-9]\\d|\\d)' }
const pointer = '(?:/(?:[^~/\\u0000-\\u001f]|~[01])*)*'
const base64url = '(?:[A-Za-z0-9_-]{4})*'

/** JSON in a text, of so many levels of lists and objects. */
function json(levels: number): string {
  const string = '"[^"\\\\\\u0000-\\u001f]*"'
  const scalar = `${string}|-?(?:0|[1-9]\\d{0,14})(?:\\.\\d{1,15})?|true|false|null`
  if (levels === 0) return `(?:${scalar})`
  const value = json(levels - 1)
  return `(?:${scalar}|\\[(?:${value}(?:, ?${value})*)?\\]|\\{(?:${string}: ?${value}(?:, ?${string}: ?${value})*)?\\})`
}

const anything = '^[^\\u0000-\\u001f]+$'

/**
 * The text generated for a `format`, as a pattern: always valid, but without some rare forms (quoted parts of addresses, leap seconds, international
 * names, users in web addresses, JSON in a text with more than two levels). Files are not looked up.
 */
export const stringFormats: Readonly<Record<string, string>> = {
  email: `^${email}$`,
  'idn-email': `^${email}$`,
  'name-email': `^(?:${email}|[A-Za-z]+(?: [A-Za-z]+)* <${email}>)$`,
  uri: `^${uri}$`,
  iri: `^${uri}$`,
  'multi-host-uri': `^${uri}$`,
  'uri-reference': `^(?:${uri}|(?:[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]*)*|/[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]*)*|/)(?:\\?${inUri}*)?(?:#${inUri}*)?)$`,
  'iri-reference': `^(?:${uri}|/?[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*)$`,
  'uri-template': '^(?:[A-Za-z0-9._~:/?=&-]|\\{[+#./;?&]?[A-Za-z0-9_]+(?:,[A-Za-z0-9_]+)*\\})+$',
  'json-pointer': `^${pointer}$`,
  'relative-json-pointer': `^(?:0|[1-9]\\d*)(?:#|${pointer})$`,
  uuid: `^(?:${uuid('[1-8]')})$`,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((version) => [`uuid${version}`, uuidOfVersion(version)])),
  date: `^${date}$`,
  time: `^${time}$`,
  'date-time': `^${date}T${time}$`,
  duration: `^${duration}$`,
  ipv4: `^${ipv4}$`,
  ipv6: `^${ipv6}$`,
  ipvanyaddress: `^(?:${ipv4}|${ipv6})$`,
  ipv4network: `^${ipv4Network}$`,
  ipv6network: `^${ipv6}/128$`,
  ipvanynetwork: `^(?:${ipv4Network}|${ipv6}/128)$`,
  ipv4interface: `^${ipv4}/${prefix.ipv4}$`,
  ipv6interface: `^${ipv6}/${prefix.ipv6}$`,
  ipvanyinterface: `^(?:${ipv4}/${prefix.ipv4}|${ipv6}/${prefix.ipv6})$`,
  hostname: `^${hostname}$`,
  'idn-hostname': `^${hostname}$`,
  byte: '^(?:[A-Za-z0-9+/]{4})*$',
  base64: '^(?:[A-Za-z0-9+/]{4})*$',
  base64url: `^${base64url}$`,
  jwt: `^eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\\.eyJ[A-Za-z0-9_-]*\\.${base64url}$`,
  'json-string': `^${json(2)}$`,
  regex: '^(?:[A-Za-z0-9 _-]|\\\\[dDwWsS.])+$',
  path: anything,
  'file-path': anything,
  'directory-path': anything,
  password: anything,
  binary: '^[^]*$',
}

/** Replacements if a pattern is combined with the format: both with bounds of length would exceed `patternLimits`. */
export const formatsBesidePatterns: Readonly<Record<string, string>> = { email: `^${anyEmail}$`, 'idn-email': `^${anyEmail}$` }

/**
 * Patterns that a generator (zod) writes in addition to a format, if every text of the format matches them anyway, and checking them would exceed
 * `patternLimits`.
 */
export const impliedPatterns: Readonly<Record<string, string>> = {
  hostname: '^(?=.{1,253}\\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$',
}
