import { expect, test } from 'playwright/test'
import { surroundingNetwork } from '@/lib/auth/request'

test('the /48 around an IPv6 address is known from its /64, and IPv4 has none', () => {
  expect(surroundingNetwork('2001:db8:1:2::/64')).toBe('2001:db8:1::/48')
  expect(surroundingNetwork('0:0:0:0::/64')).toBe('0:0:0::/48')
  for (const address of ['198.51.100.1', 'unknown']) expect(surroundingNetwork(address)).toBe(null)
})
