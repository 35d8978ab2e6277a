import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['TRUST_PROXY'] = '10.0.0.1, 192.168.0.0/16, fd00::/8'
})

const { clientAddress } = await import('./peer.server.ts')

function from(remoteAddress: string, forwarded?: string) {
  const request = new IncomingMessage(new Socket())
  Object.defineProperty(request.socket, 'remoteAddress', { value: remoteAddress })
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return clientAddress(request)
}

test('a trusted proxy names the visitor', () => {
  expect(from('10.0.0.1', '203.0.113.7')).toBe('203.0.113.7')
  expect(from('::ffff:10.0.0.1', '203.0.113.7')).toBe('203.0.113.7')
  expect(from('fd12::1', '2001:db8::7')).toBe('2001:db8::7')
})

test('behind several proxies the first one that is not ours counts, however much a visitor adds in front', () => {
  expect(from('10.0.0.1', '1.2.3.4, 203.0.113.7, 192.168.4.4')).toBe('203.0.113.7')
})

test('a stranger is who connects, whatever they write', () => {
  expect(from('203.0.113.9', '10.0.0.1')).toBe('203.0.113.9')
})

test('what is no address is not believed', () => {
  expect(from('10.0.0.1', 'unknown')).toBe('10.0.0.1')
  expect(from('10.0.0.1')).toBe('10.0.0.1')
  expect(from('10.0.0.1', '203.0.113.7:443')).toBe('10.0.0.1')
})
