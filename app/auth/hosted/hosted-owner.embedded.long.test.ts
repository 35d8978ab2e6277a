import { expect, test } from 'vitest'
import { browser } from '#test/browser.ts'
import { startHosted } from '#test/hosted.ts'

const PASSWORD = 'correct horse'
const OWNER = 'owner@example.com'

const phones = { MFA_PHONE_ENROLL_ENABLED: 'true', MFA_PHONE_VERIFY_ENABLED: 'true' }
const { service, app, db, directory, settleOwner, forgetLimits, emailsTo, waitFourteenDays, runJob } = await startHosted({
  withSecretKey: true,
  project: phones,
  product: { OWNER_EMAIL: OWNER, ...phones },
})

/** Uses an account that the service's admin API created. */
async function personOf(email: string) {
  await forgetLimits()
  await service.app.inject({
    method: 'POST',
    url: '/auth/v1/admin/users',
    headers: { authorization: `Bearer ${service.secretKey}` },
    payload: { email, password: PASSWORD, email_confirm: true, user_metadata: { first_name: 'Ada' } },
  })
  const from = browser(app)
  const reply = await from.post('/login', { form: 'sign-in', email, password: PASSWORD })
  expect(reply.headers.location).toBe('/dashboard')
  const account = await db.selectFrom('hostedAccounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  return { from, account }
}

test('only OWNER_EMAIL claims the ownership, and the start is refused where it never could', async () => {
  expect((await personOf('first@example.com')).account.role).toBe('customer')
  await expect(settleOwner({ ownerEmail: undefined, isLocal: false })).rejects.toThrow(/^OWNER_EMAIL must be/)
  expect((await personOf(OWNER)).account.role).toBe('owner')
  await settleOwner({ ownerEmail: undefined, isLocal: false })
})

test('a hosted user with a granted dataset downloads it and reads it with a key, until they are banned', async () => {
  const { makeDataset, makeProduct } = await import('#test/factories.ts')
  const product = await makeProduct({ slug: 'hosted-prices', priceCents: 4900 })
  await makeDataset(product, 'shop,price\nNorth,1.50\n')
  const { from, account } = await personOf('buyer@example.com')
  const { id, email } = account
  const owner = await personOf(OWNER)
  const as = (who: typeof from, url: string, payload: object) => who.send({ method: 'POST', url, payload })
  const take = () => as(from, `/api/data-products/${product.id}/download`, { downloadType: 'file', format: 'original' })

  expect((await take()).statusCode).toBe(402)
  expect((await as(from, `/api/data-products/${product.id}/request-access`, { message: 'For a study.' })).statusCode).toBe(201)
  const granted = await as(owner.from, `/api/data-products/${product.id}/entitlements`, { email })
  expect([granted.statusCode, granted.json()]).toEqual([201, expect.objectContaining({ userId: id, email })])
  const { downloadUrl } = (await take()).json()
  expect((await from.send({ url: downloadUrl })).body).toBe('shop,price\nNorth,1.50\n')
  expect((await owner.from.send({ url: downloadUrl })).statusCode).toBe(403)

  const { key } = (await as(from, '/api/keys', { name: 'Import', productIds: null, expiresInDays: null })).json()
  const read = () => app.inject({ url: '/api/v1/datasets/hosted-prices/rows', headers: { authorization: `Bearer ${key}` } })
  expect((await read()).json().data).toEqual([{ shop: 'North', price: '1.50' }])
  await db
    .updateTable('hostedAccounts')
    .set({ bannedUntil: new Date(Date.now() + 60_000) })
    .where('id', '=', id)
    .execute()
  expect((await read()).statusCode).toBe(401)
})

test('with the secret key the owner invites, and the guest has the role once they have chosen a password', async () => {
  const { from, account } = await personOf(OWNER)
  const page = await from.send({ url: '/admin/users' })
  expect(page.body).toContain('Invite')
  const invited = await from.send({
    method: 'POST',
    url: '/api/admin/users/invite',
    payload: { email: 'guest@example.com', role: 'staff' },
  })
  expect([invited.statusCode, invited.json()]).toMatchObject([201, { email: 'guest@example.com', role: 'customer', invitedRole: 'staff' }])
  const { link } = await service.secretsOf('guest@example.com', 'invite')
  const guest = browser(app)
  const fields = { token_hash: link, password: 'a long enough one', confirmPassword: 'a long enough one' }
  expect((await guest.post(`/login/new-password?token_hash=${link}&type=invite`, fields)).headers.location).toContain('notice=new-password')
  await guest.post('/login', { form: 'sign-in', email: 'guest@example.com', password: 'a long enough one' })
  expect((await guest.send({ url: '/api/contacts' })).statusCode).toBe(200)
  const again = await from.send({ method: 'POST', url: '/api/admin/users/invite', payload: { email: 'guest@example.com', role: 'staff' } })
  expect([again.statusCode, again.json().code]).toEqual([422, 'email_exists'])
  const events = await db.selectFrom('auditEvents').select(['action', 'actorId']).where('action', '=', 'user_invited').execute()
  expect(events).toEqual([{ action: 'user_invited', actorId: account.id }])
})

test('a deleted account is deleted here and at the service, and its tokens are refused', async () => {
  const { from, account } = await personOf('leaver@example.com')
  await directory.deleteUser(account.id, {})
  expect((await from.send({ url: '/api/access-requests' })).statusCode).toBe(401)
  expect(await directory.findUser(account.id)).toBeUndefined()
  expect(await service.db.selectFrom('users').select('id').where('id', '=', account.id).execute()).toEqual([])
  const left = await db.selectFrom('hostedAccounts').selectAll().where('id', '=', account.id).executeTakeFirstOrThrow()
  expect(JSON.stringify(left)).not.toContain('leaver')
  await expect(directory.deleteUser((await personOf(OWNER)).account.id, {})).rejects.toMatchObject({ extra: { code: 'last_owner' } })
  expect(await service.db.selectFrom('users').select('email').where('email', '=', OWNER).execute()).toHaveLength(1)
})

test('the account page shows the service’s data and ours, and offers only what we support', async () => {
  const { from } = await personOf('member@example.com')
  const account = (await from.send({ url: '/api/account' })).json()
  expect(account).toMatchObject({
    email: 'member@example.com',
    firstName: 'Ada',
    hasPassword: true,
    asksCurrentPassword: false,
    remainsElsewhere: false,
    hasRecoveryCodes: false,
  })
  expect((await from.send({ url: '/api/account/sessions' })).json()).toMatchObject([{ isCurrent: true }])
  expect((await from.send({ url: '/api/account/recovery-codes' })).statusCode).toBe(404)
  const data = (await from.send({ url: '/api/account/data' })).json()
  expect(data).toMatchObject({ profile: { email: 'member@example.com' }, sessions: [{ endedAt: null }] })
  expect((await from.send({ method: 'POST', url: '/api/access-requests', payload: { area: 'blog' } })).statusCode).toBe(200)
  for (const url of ['/account', '/account/security', '/account/devices', '/account/data', '/dashboard', '/data-marketplace']) {
    expect([url, (await from.send({ url })).statusCode]).toEqual([url, 200])
  }
})

test('a phone at the service is a second step as well: offered to set up, its message asked for and its code given without script', async () => {
  const { from } = await personOf('phone@example.com')
  const headers = { authorization: `Bearer ${from.cookies.get('winnow-access')}` }
  const ask = (path: string, payload: object) => from.send({ method: 'POST', url: `/auth/v1/factors${path}`, headers, payload })
  expect((await from.send({ url: '/api/account' })).json().secondSteps).toMatchObject({ totp: true, phone: true })
  const phone = '4915150000001'
  const codeSent = async () => String((await service.emailsTo(`${phone}@phone.localhost`)).at(-1)?.data.code)
  const { id } = (await ask('', { factor_type: 'phone', phone, friendly_name: 'Mine' })).json()
  const { id: first } = (await ask(`/${id}/challenge`, { channel: 'sms' })).json()
  expect((await ask(`/${id}/verify`, { challenge_id: first, code: await codeSent() })).statusCode).toBe(200)

  await service.forgetLimits()
  const other = browser(app)
  await other.post('/login', { form: 'sign-in', email: 'phone@example.com', password: PASSWORD })
  expect((await other.send({ url: '/login/second-step' })).body).toContain('We’ll send a code to your phone.')
  const sent = await other.post('/login/second-step', { form: 'send', factor: id })
  const challenge = /name="challenge" value="([^"]+)"/.exec(sent.body)?.[1] ?? ''
  const wrong = await other.post('/login/second-step', { factor: id, challenge, code: '0' })
  expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('This isn’t the code from the latest message.')])
  const right = await other.post('/login/second-step', { factor: id, challenge, code: await codeSent() })
  expect([right.statusCode, right.headers.location]).toEqual([302, '/dashboard'])
  expect((await other.send({ url: '/dashboard' })).statusCode).toBe(200)
})

const askDeletion = (from: ReturnType<typeof browser>, confirm: string) =>
  from.send({ method: 'POST', url: '/api/account/deletion', payload: { confirm } })

test('a requested deletion happens here and at the service after 14 days, and can be canceled until then', async () => {
  const [{ from, account }, { from: other, account: kept }] = [await personOf('goes@example.com'), await personOf('stays@example.com')]
  expect((await askDeletion(from, 'someone@example.com')).json().code).toBe('not_confirmed')
  const { dueAt } = (await askDeletion(from, 'Goes@example.com')).json()
  expect(Math.round((Date.parse(dueAt) - Date.now()) / 86_400_000)).toBe(14)
  expect((await from.send({ url: '/api/account' })).json().deletionDueAt).toBe(dueAt)
  expect((await from.send({ url: '/dashboard' })).body).toContain('Keep my account')
  await askDeletion(other, 'stays@example.com')
  expect((await other.send({ method: 'DELETE', url: '/api/account/deletion' })).json()).toEqual({ dueAt: null })

  await waitFourteenDays()
  expect((await from.send({ url: '/api/account' })).statusCode).toBe(401)
  expect(await service.db.selectFrom('users').select('id').where('id', '=', account.id).execute()).toEqual([])
  const left = await db.selectFrom('hostedAccounts').selectAll().where('id', '=', account.id).executeTakeFirstOrThrow()
  expect(left).toMatchObject({ email: null, userMetadata: {}, deletedAt: expect.any(Date) })
  const emails = await emailsTo('goes@example.com')
  expect(emails.map(({ kind, data }) => [kind, data.remainsElsewhere])).toEqual([
    ['deletion-asked', undefined],
    ['account-deleted', false],
  ])
  expect((await other.send({ url: '/api/account' })).json().email).toBe('stays@example.com')
  expect(await directory.findUser(kept.id)).toBeDefined()
})

test('a company of hosted accounts: only the invited account joins; its only admin names another one before their account goes', async () => {
  type From = ReturnType<typeof browser>
  const call = (from: From, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    from.send({ method, url, ...(payload && { payload }) })
  const [founder, guest, stranger] = [
    await personOf('founder@example.com'),
    await personOf('colleague@example.com'),
    await personOf('stranger@example.com'),
  ]
  const { id } = (await call(founder.from, 'POST', '/api/organizations', { name: 'Acme Retail' })).json()
  const place = `/api/organizations/${id}`
  expect((await call(founder.from, 'POST', `${place}/invitations`, { email: 'colleague@example.com', role: 'member' })).statusCode).toBe(
    201,
  )
  expect((await emailsTo('colleague@example.com')).map(({ kind }) => kind)).toContain('organization-invitation')
  const [invitation] = (await call(guest.from, 'GET', '/api/organization-invitations')).json()
  expect(invitation).toMatchObject({ organization: 'Acme Retail', invitedBy: 'Ada' })
  const accept = (from: From) => call(from, 'POST', `/api/organization-invitations/${invitation.id}/accept`, {})
  expect((await call(stranger.from, 'GET', '/api/organization-invitations')).json()).toEqual([])
  expect((await accept(stranger.from)).json().code).toBe('other_address')
  expect((await accept(guest.from)).json()).toEqual({ organizationId: id })

  expect((await askDeletion(founder.from, 'founder@example.com')).json().code).toBe('last_admin')
  expect((await call(founder.from, 'PATCH', `${place}/members/${guest.account.id}`, { role: 'admin' })).statusCode).toBe(200)
  expect((await askDeletion(founder.from, 'founder@example.com')).statusCode).toBe(200)
  await waitFourteenDays()
  const members = (await call(guest.from, 'GET', `${place}/members`)).json()
  expect(members).toMatchObject([{ id: guest.account.id, role: 'admin', isSelf: true }])
  expect((await call(guest.from, 'DELETE', `${place}/members/${guest.account.id}`)).json().code).toBe('last_admin')
  // A hosted account that is banned cannot manage it, so staff may name the next admin.
  await directory.banUser(guest.account.id, new Date(Date.now() + 3_600_000), {})
  const owner = await personOf(OWNER)
  const named = await call(owner.from, 'POST', `/api/admin/organizations/${id}/admin`, { email: 'stranger@example.com' })
  expect(named.statusCode).toBe(200)
  expect((await call(stranger.from, 'GET', place)).json()).toMatchObject({ name: 'Acme Retail', role: 'admin' })
})

test('the last owner cannot request a deletion, and a requester who became the last owner is not deleted', async () => {
  const { from } = await personOf(OWNER)
  expect((await askDeletion(from, OWNER)).json().code).toBe('last_owner')
  const { from: second, account } = await personOf('second@example.com')
  await directory.changeRole(account.id, 'owner', {})
  expect((await askDeletion(second, 'second@example.com')).statusCode).toBe(200)
  await db.updateTable('hostedAccounts').set({ role: 'customer' }).where('email', '=', OWNER).execute()
  await waitFourteenDays()
  expect((await second.send({ url: '/api/account' })).json()).toMatchObject({ email: 'second@example.com', deletionDueAt: null })
  expect((await emailsTo('second@example.com')).map(({ kind }) => kind)).toContain('deletion-refused')
  await db.updateTable('hostedAccounts').set({ role: 'owner' }).where('email', '=', OWNER).execute()
  await directory.changeRole(account.id, 'customer', {})
})

test('only the id of a deleted account is stored, for 30 days', async () => {
  const [{ account: lately }, { account: longAgo }] = [await personOf('lately@example.com'), await personOf('long-ago@example.com')]
  for (const { id } of [lately, longAgo]) await directory.deleteUser(id, {})
  const day = 86_400_000
  const deletedAt = new Date(Date.now() - 31 * day)
  await db.updateTable('hostedAccounts').set({ deletedAt }).where('id', '=', longAgo.id).execute()
  await runJob('hosted-housekeeping')
  const left = await db.selectFrom('hostedAccounts').select('id').where('id', 'in', [lately.id, longAgo.id]).execute()
  expect(left).toEqual([{ id: lately.id }])
  expect(await db.selectFrom('hostedSessions').select('id').where('accountId', '=', longAgo.id).execute()).toEqual([])
})

test('while the service is down, sessions go on with the last known keys, and refusals are temporary', async () => {
  const { from } = await personOf(OWNER)
  await service.stop()
  expect((await from.send({ url: '/api/contacts' })).statusCode).toBe(200)
  const busy = await app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    payload: { refresh_token: 'x'.repeat(43) },
  })
  expect([busy.statusCode, busy.json().error_code]).toEqual([503, 'unexpected_failure'])
  expect(busy.headers['retry-after']).toBeDefined()
  const form = await browser(app).post('/login', { form: 'sign-in', email: OWNER, password: PASSWORD })
  expect([form.statusCode, form.body]).toEqual([422, expect.stringContaining('does not respond')])
  // We sign out ourselves.
  const headers = { authorization: `Bearer ${from.cookies.get('winnow-access')}` }
  await from.send({ method: 'POST', url: '/api/logout' })
  expect(from.cookies.size).toBe(0)
  expect((await app.inject({ url: '/api/contacts', headers })).statusCode).toBe(401)
})
