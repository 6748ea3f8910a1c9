/** IPv4 addresses that a request must never reach: of each special range the first and the last. */
export const specialIpv4: readonly string[] = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
]

/** In dotted decimal. */
export function ipv4Text(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}

const bytesOf = (address: string) => address.split('.').map(Number)
const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0)

/** Ways to write an IPv4 address as the host of a URL. */
export const ipv4Spellings: Readonly<Record<string, (address: string) => string>> = {
  dots: (address) => address,
  'one decimal number': (address) => String(numberOf(address)),
  'one hexadecimal number': (address) => `0x${numberOf(address).toString(16)}`,
  'one octal number': (address) => `0${numberOf(address).toString(8)}`,
  'octal parts': (address) =>
    bytesOf(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  'hexadecimal parts': (address) =>
    bytesOf(address)
      .map((byte) => `0x${byte.toString(16)}`)
      .join('.'),
  'two parts': (address) => `${bytesOf(address)[0]}.${numberOf(address) % 2 ** 24}`,
  'full-width digits': (address) => address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  'percent-encoding': (address) => [...address].map((sign) => `%${sign.codePointAt(0)?.toString(16)}`).join(''),
  'a trailing dot': (address) => `${address}.`,
  'mapped into IPv6': (address) => `[::ffff:${address}]`,
  'in the last part of IPv6': (address) => `[::${address}]`,
  'translated by NAT64': (address) => `[64:ff9b::${address}]`,
}
