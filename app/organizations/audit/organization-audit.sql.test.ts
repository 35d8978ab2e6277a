import { beforeEach, expect, test } from 'vitest'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { codeOf, join, organizationsOf } from '#test/organizations.ts'

const app = await startEndpoints()
const { call, found } = organizationsOf(app)
const staff = await signIn('staff')
beforeEach(closeLimits)

const csv = (who: SignedIn, id: string) => call(who, 'GET', `/api/organizations/${id}/audit.csv`)
const lines = async (who: SignedIn, id: string) => {
  const [head, ...rows] = (await csv(who, id)).body.trimEnd().split('\r\n')
  return { head, rows: rows.map((row) => row.split('","').slice(1).join(' | ').replace(/"$/, '')) }
}

test('admins take away 12 months: what happened to the organization and what its people did for it, without staff’s names', async () => {
  const [admin, member] = [await signIn(), await signIn()]
  const { id, version } = await found(admin)
  await join(id, 'member', member)
  const product = await makeProduct({ isFree: true })
  await makeDataset(product, 'shop,price\nNorth,1.50\n')
  await call(member, 'POST', `/api/data-products/${product.slug}/download`, { downloadType: 'api' }, id)
  await call(member, 'POST', `/api/data-products/${product.slug}/download`, { downloadType: 'api' })
  await makeKey(ownKeys(member.user.id, id), { name: 'Nightly', productIds: null, expiresInDays: null }, { id: member.user.id })
  await call(admin, 'PATCH', `/api/organizations/${id}`, { version, legalName: 'Acme Retail GmbH' })
  await call(admin, 'PATCH', `/api/organizations/${id}/members/${member.user.id}`, { role: 'buyer' })
  await call(staff, 'PATCH', `/api/admin/organizations/${id}`, { version: version + 1, notes: 'Pays late' })
  await call(staff, 'POST', `/api/organizations/${id}/invitations`, { email: 'grace@shop.example', role: 'admin' })
  const old = new Date()
  old.setUTCMonth(old.getUTCMonth() - 13)
  await insert(db, 'auditEvents', { action: 'organization_left', subjectId: id, createdAt: old })

  const { head, rows } = await lines(admin, id)
  expect(head).toBe('"At","Who","What","Detail"')
  expect(rows).toEqual([
    `Staff | Organization invited | grace@shop.example, role: admin`,
    `${admin.user.email} | Organization member changed | ${member.user.email}, role: buyer`,
    `${admin.user.email} | Organization changed | Legal name`,
    expect.stringMatching(new RegExp(`^${member.user.email} \\| API key created \\| Nightly, prefix: wn_`)),
    `${member.user.email} | Dataset API opened | product: ${product.slug}, version: 1`,
    `${admin.user.email} | Organization founded | `,
  ])
  const all = (await csv(staff, id)).body
  for (const secret of [staff.user.email ?? '', 'notes', '127.0.0.1', '13 months']) expect(all).not.toContain(secret)
  expect((await csv(member, id)).statusCode).toBe(403)
  expect(codeOf(await csv(admin, admin.user.id))).toBe('personal_organization')
})

test('it is complete beyond one batch, and has nothing of another organization', async () => {
  const [admin, other] = [await signIn(), await signIn()]
  const [{ id }, foreign] = [await found(admin), await found(other, { name: 'Beta Foods' })]
  const events = (subjectId: string, count: number) =>
    Array.from({ length: count }, () => ({ id: newId(), action: 'organization_changed', subjectId, detail: '{}' }))
  for (const part of [events(id, 700), events(id, 700), events(foreign.id, 50)]) await db.insertInto('auditEvents').values(part).execute()
  expect((await lines(admin, id)).rows).toHaveLength(1401)
  expect((await lines(other, foreign.id)).rows).toHaveLength(51)
})
