import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.MAIL_REPLY_ADDRESS = 'replies@winnow.example'
})

const { contactOfReplyAddress, replyAddressOf, threadRootOf } = await import('./reply-address.server.ts')

test('a reply address names its lead, also where a mail system changes the case, and no other address does', () => {
  for (const id of [randomUUID(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
    const address = replyAddressOf(id) ?? ''
    expect(address).toMatch(/^replies\+[\da-v]{42}@winnow\.example$/)
    // RFC 5321, 4.5.3.1.1
    expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64)
    expect(contactOfReplyAddress(address)).toBe(id)
    expect(contactOfReplyAddress(address.toUpperCase())).toBe(id)
    expect(contactOfReplyAddress(`Winnow <${address}>`)).toBe(id)
    const at = address.indexOf('+') + 1
    for (const place of [at, at + 25, at + 26, at + 41]) {
      const other = address[place] === '0' ? '1' : '0'
      expect(contactOfReplyAddress(`${address.slice(0, place)}${other}${address.slice(place + 1)}`)).toBeUndefined()
    }
  }
  const beyond = `replies+${'v'.repeat(42)}@winnow.example`
  for (const address of ['', 'replies@winnow.example', 'replies+x@winnow.example', beyond])
    expect(contactOfReplyAddress(address)).toBeUndefined()
})

test('the acknowledgement of an enquiry is the root of its thread, and only of its own', () => {
  const [id, other] = [randomUUID(), randomUUID()]
  expect(threadRootOf(id)).toMatch(/^<enquiry\.[\da-f-]{36}@[\w.-]+>$/)
  expect(threadRootOf(id)).toBe(threadRootOf(id))
  expect(threadRootOf(other)).not.toBe(threadRootOf(id))
})
