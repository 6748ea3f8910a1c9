import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 that is not public, by the IANA special-purpose address registry, and the metadata address of a cloud provider. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** Global unicast IPv6; everything else is local, mapped, translated or unassigned. */
const global6 = ['2000::/3']

/** Ranges of it that embed an IPv4 address, are not routed, or are for documentation. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', bits = ''] = subnet.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const lists = { special4: blockList(special4, 'ipv4'), global6: blockList(global6, 'ipv6'), special6: blockList(special6, 'ipv6') }

/** True for an IP address of the public internet. False for IPv4 embedded in IPv6, in any form: such a host can be reached over IPv4. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !lists.special4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return lists.global6.check(address, 'ipv6') && !lists.special6.check(address, 'ipv6')
}
