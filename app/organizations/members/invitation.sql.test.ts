import { describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { signIn } from '#test/factories.ts'
import { byLength } from '#test/length.ts'
import { codeOf, join, organizationsOf } from '#test/organizations.ts'

const app = await startEndpoints()
const { accept, call, found, invite, invited, openInvitations } = organizationsOf(app)

describe('error', () => {
  test('an invitation works for its address alone, once, while it is open and its organization is', async () => {
    const [founder, colleague, stranger] = [await signIn(), await signIn(), await signIn()]
    const { id } = await found(founder)
    const email = colleague.user.email ?? ''
    const first = await invited(founder, id, email)
    expect([(await accept(stranger, first)).statusCode, codeOf(await accept(stranger, first))]).toEqual([403, 'other_address'])
    expect((await accept(stranger, first)).json().detail).not.toContain(email)

    // A newer invitation replaces it.
    const second = await invited(founder, id, email)
    expect(codeOf(await accept(colleague, first))).toBe('invitation_settled')
    expect((await accept(colleague, second)).statusCode).toBe(200)
    // Pressed twice.
    expect((await accept(colleague, second)).statusCode).toBe(200)
    // Its link, followed later, leads to the organization.
    const own = async () => (await call(colleague, 'GET', '/api/organization-invitations')).json()
    expect(await own()).toMatchObject([{ id: second, isJoined: true }])
    expect(codeOf(await invite(founder, id, email))).toBe('already_a_member')

    await call(founder, 'DELETE', `/api/organizations/${id}/members/${colleague.user.id}`)
    expect(codeOf(await accept(colleague, second))).toBe('invitation_settled')
    expect(await own()).toEqual([])

    const third = await invited(founder, id, email)
    expect(await own()).toMatchObject([{ id: third, isJoined: false }])
    await db
      .updateTable('organizationInvitations')
      .set({ expiresAt: new Date(0) })
      .where('id', '=', third)
      .execute()
    expect(codeOf(await accept(colleague, third))).toBe('invitation_expired')
    await call(founder, 'POST', `/api/organizations/${id}/invitations/${third}/send`)
    const fourth = (await openInvitations(founder, id))[0]?.id ?? ''
    expect((await call(founder, 'DELETE', `/api/organizations/${id}/invitations/${fourth}`)).statusCode).toBe(204)
    expect(codeOf(await accept(colleague, fourth))).toBe('invitation_settled')

    const fifth = await invited(founder, id, email)
    await call(founder, 'DELETE', `/api/organizations/${id}`)
    expect(codeOf(await accept(colleague, fifth))).toBe('organization_closed')
  })

  test('an invitation that is still open ends with the removal of its person, who joined another way', async () => {
    const [founder, colleague] = [await signIn(), await signIn()]
    const { id } = await found(founder)
    const invitationId = await invited(founder, id, colleague.user.email ?? '')
    // Such as by asking, because the domain of the address is proven.
    await join(id, 'reader', colleague)
    expect((await call(founder, 'DELETE', `/api/organizations/${id}/members/${colleague.user.id}`)).statusCode).toBe(204)
    expect(codeOf(await accept(colleague, invitationId))).toBe('invitation_settled')
    expect(await openInvitations(founder, id)).toEqual([])
  })

  test('an address that is not proven joins only by the link of its email', async () => {
    const founder = await signIn()
    const { id } = await found(founder)
    const unproven = await signIn('customer', { emailAssumed: true })
    const invitationId = await invited(founder, id, unproven.user.email ?? '')
    expect(codeOf(await accept(unproven, invitationId))).toBe('address_not_proven')
    const [sent] = await emailsTo(unproven.user.email ?? '')
    const token = new URL(sent?.data.link).searchParams.get('token')
    expect((await accept(unproven, invitationId, { token: 'another' })).statusCode).toBe(403)
    expect((await accept(unproven, invitationId, { token })).statusCode).toBe(200)
  })

  test('one admin always remains', async () => {
    const founder = await signIn()
    const { id } = await found(founder)
    const colleague = await join(id, 'buyer')
    const self = `/api/organizations/${id}/members/${founder.user.id}`
    expect(codeOf(await call(founder, 'DELETE', self))).toBe('last_admin')
    expect(codeOf(await call(founder, 'PATCH', self, { role: 'member' }))).toBe('last_admin')
    await call(founder, 'PATCH', `/api/organizations/${id}/members/${colleague.user.id}`, { role: 'admin' })
    expect((await call(founder, 'DELETE', self)).statusCode).toBe(204)
  })

  test(`of 20 leaves, removals and role changes at the same time, never all admins go`, async () => {
    for (let round = 0; round < byLength(3, 1000); round += 1) {
      const founder = await signIn()
      const { id } = await found(founder)
      const admins = [founder, ...(await Promise.all(Array.from({ length: 4 }, () => join(id, 'admin'))))]
      const target = (at: number) => `/api/organizations/${id}/members/${admins[at % 5]?.user.id}`
      const acts = Array.from({ length: 20 }, (_, at) => {
        const by = admins[(at * 3) % 5] ?? founder
        return at % 3 === 0
          ? call(by, 'PATCH', target(at), { role: 'reader' })
          : at % 3 === 1
            ? call(by, 'DELETE', target(at))
            : call(admins[at % 5] ?? founder, 'DELETE', target(at))
      })
      await Promise.all(acts)
      const left = await db
        .selectFrom('organizationMembers')
        .select('userId')
        .where('organizationId', '=', id)
        .where('role', '=', 'admin')
        .execute()
      expect(left.length).toBeGreaterThan(0)
    }
  })
})
