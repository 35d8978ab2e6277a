import { createServer, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { fetchPublic, isPublicAddress, type Transport } from './fetch-public.server.ts'

const bounds = { ms: 1000, bytes: 1024 * 1024 }
/** A server of this machine stands for one of the internet. */
const local: Transport = { protocol: 'http:', request, isAllowed: (address) => address === '127.0.0.1' || address === '::1' }
const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const at: AddressInfo | string | null = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  return `http://127.0.0.1:${at.port}/calendar.ics`
}

describe('happy', () => {
  test('a text arrives, also compressed, and after a redirect', async () => {
    const address = await serve((asked, reply) => {
      if (asked.url === '/calendar.ics') return void reply.writeHead(302, { location: '/there' }).end()
      return void reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('BEGIN:VCALENDAR'))
    })
    expect(await fetchPublic(address, bounds, local)).toBe('BEGIN:VCALENDAR')
  })

  test('a calendar in an old charset keeps its letters', async () => {
    const undeclared = await serve((_asked, reply) => void reply.end(Buffer.from('SUMMARY:K\xf6ln', 'latin1')))
    expect(await fetchPublic(undeclared, bounds, local)).toBe('SUMMARY:Köln')
    const type = { 'content-type': 'text/calendar; charset="windows-1251"' }
    const cyrillic = await serve((_asked, reply) => void reply.writeHead(200, type).end(Buffer.from('SUMMARY:\xcc\xe8\xf0', 'latin1')))
    expect(await fetchPublic(cyrillic, bounds, local)).toBe('SUMMARY:Мир')
  })
})

describe('error', () => {
  test('a refusal, a dead server, and silence are said', async () => {
    const refusing = await serve((_asked, reply) => void reply.writeHead(403).end())
    await expect(fetchPublic(refusing, bounds, local)).rejects.toThrow('The server answered 403.')
    const silent = await serve(() => {})
    await expect(fetchPublic(silent, { ...bounds, ms: 100 }, local)).rejects.toThrow('took too long')
    const dripping = await serve((_asked, reply) => void reply.writeHead(200).write('BEGIN'))
    await expect(fetchPublic(dripping, { ...bounds, ms: 100 }, local)).rejects.toThrow('took too long')
    await expect(fetchPublic('http://127.0.0.1:9/', bounds, local)).rejects.toThrow('cannot be reached')
  })

  test('more bytes than allowed are refused, also when they were compressed', async () => {
    const long = 'x'.repeat(2 * 1024 * 1024)
    const plain = await serve((_asked, reply) => void reply.end(long))
    await expect(fetchPublic(plain, bounds, local)).rejects.toThrow('larger than 1 MB')
    const packed = await serve((_asked, reply) => void reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(long)))
    await expect(fetchPublic(packed, bounds, local)).rejects.toThrow('larger than 1 MB')
  })

  test('a circle of redirects ends', async () => {
    const circle = await serve((_asked, reply) => void reply.writeHead(302, { location: '/calendar.ics' }).end())
    await expect(fetchPublic(circle, bounds, local)).rejects.toThrow('redirects too often')
  })
})

describe('security', () => {
  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://10.0.0.8/x.ics',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[fd00::1]/',
  ])('%s leads into a private network', async (address) => {
    await expect(fetchPublic(address, bounds)).rejects.toThrow('private network')
  })

  test.each(['http://example.com/', 'file:///etc/passwd', 'ftp://example.com/', 'nonsense'])('%s is not https', async (address) => {
    await expect(fetchPublic(address, bounds)).rejects.toThrow('must begin with https://')
  })

  test('a redirect into a private network or to another protocol is not followed', async () => {
    const inward = await serve((_asked, reply) => void reply.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    await expect(fetchPublic(inward, bounds, local)).rejects.toThrow('private network')
    const file = await serve((_asked, reply) => void reply.writeHead(302, { location: 'file:///etc/passwd' }).end())
    await expect(fetchPublic(file, bounds, local)).rejects.toThrow('must begin with')
  })

  test('public addresses are those of the internet', () => {
    for (const address of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111'])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
    for (const address of [
      '172.31.0.1',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      'fe80::1',
      'ff02::1',
      '::',
      '2002:7f00:1::',
      '64:ff9b::7f00:1',
      'x',
    ])
      expect([address, isPublicAddress(address)]).toEqual([address, false])
  })
})
