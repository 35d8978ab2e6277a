import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { removeUser } from '#app/auth/directory/remove-user.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import type { postPublic } from '#app/platform/http/fetch-public.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn, type SignedIn } from '#test/factories.ts'
import { dispatchDue, dispatchTime, nextOnClock } from './dispatch.server.ts'
import { kindsFor, notificationKinds } from './notification.ts'
import { type NewNotification, notificationJob } from './notification.server.ts'
import { defaultChannels, notificationPreferences, PREFERENCES, PUSH_DEVICES } from './preference.ts'
import { pushKeys } from './push-key.server.ts'
import { pushMessage, sendPush } from './push.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
beforeEach(async () => void (await db.deleteFrom('jobs').execute()))

const ask = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, { headers }: Pick<SignedIn, 'headers'>, payload?: object) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const preferencesOf = async (person: SignedIn) => notificationPreferences.parse((await ask('GET', PREFERENCES, person)).json())
const save = async (person: SignedIn, given: object) => {
  const { channels, zone, digestHour, quietFrom, quietUntil } = await preferencesOf(person)
  return ask('PUT', PREFERENCES, person, { channels, zone: zone ?? 'UTC', digestHour, quietFrom, quietUntil, ...given })
}
const kindsOfStaff = kindsFor({ role: 'staff', rights: [] })
const all = (email: 'off' | 'now' | 'digest', push = true) => kindsOfStaff.map((kind) => ({ kind, email, push }))

async function run(kind: string) {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('kind', '=', kind)
    .where('doneAt', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id, payload } of jobs) {
    await jobOf(kind).run(payload, { id, attempt: 1, signal: new AbortController().signal })
    await db.updateTable('jobs').set({ doneAt: new Date() }).where('id', '=', id).execute()
  }
  return jobs.length
}

const tell = async (to: SignedIn, given: Partial<NewNotification> = {}) => {
  const id = newId()
  const notice = {
    kind: 'mention' as const,
    title: 'You were mentioned',
    link: '/leads/W-1',
    dedupeKey: id,
    to: { userIds: [to.user.id] },
    ...given,
  }
  await enqueue(db, notificationJob(notice))
  await run('notifications.tell')
}

const dispatches = (person: SignedIn) =>
  db.selectFrom('notificationDispatches').selectAll().where('userId', '=', person.user.id).orderBy('channel').orderBy('dueAt').execute()
const emailsTo = async ({ user }: SignedIn) => {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').orderBy('id').execute()
  return jobs.map(({ payload }) => JSON.parse(JSON.stringify(payload))).filter(({ to, kind }) => to === user.email && kind === 'notices')
}

/** A browser's side of web push: its keys, and what it reads out of a message (RFC 8291, RFC 8188). */
function makeBrowser() {
  const ecdh = createECDH('prime256v1')
  const own = ecdh.generateKeys()
  const auth = randomBytes(16)
  const endpoint = `https://push.example.com/send/${newId()}`
  const subscription = { endpoint, keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') } }
  const read = (body: Buffer) => {
    const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)]
    const sender = body.subarray(21, 21 + keyLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
    const ikm = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
    const key = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: aes128gcm\0', 16))
    const nonce = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: nonce\0', 12))
    const record = body.subarray(21 + keyLength)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16))
    const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]).toString()
    return JSON.parse(plain.slice(0, plain.lastIndexOf('\u0002')))
  }
  return { endpoint, subscription, read }
}

type PushRequest = { url: string; headers: Record<string, string>; body: Buffer }

/** A push service that answers with a status, and what it got. */
function pushService(status: number) {
  const got: PushRequest[] = []
  const post: typeof postPublic = async (url, { headers, body }) => {
    got.push({ url, headers, body: Buffer.from(body) })
    return { status, text: '' }
  }
  return { got, post }
}

async function pushJobs() {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.push').where('doneAt', 'is', null).execute()
  return jobs.map(({ payload }) => pushMessage.parse(payload))
}

describe('happy', () => {
  test('without saved preferences, what concerns one person comes by email; the rest is in the bell', async () => {
    const person = await signIn('staff')
    const { channels, zone, quietFrom, email } = await preferencesOf(person)
    expect([channels.map(({ kind }) => kind), zone, quietFrom, email]).toEqual([kindsOfStaff, null, null, person.user.email])
    expect(channels.filter((each) => each.email === 'now').map(({ kind }) => kind)).toEqual(['assigned', 'reply', 'mention', 'clock'])
    await tell(person)
    await tell(person, { kind: 'import', title: 'Import finished' })
    await run('notifications.dispatch')
    expect((await emailsTo(person)).map(({ data }) => data.items)).toEqual([
      [{ title: 'You were mentioned', body: null, link: '/leads/W-1' }],
    ])
  })

  test('preferences are saved by kind and channel, and those of kinds beyond the role stay', async () => {
    const person = await signIn('customer')
    const row = { userId: person.user.id, zone: 'UTC', channels: JSON.stringify({ lead: { email: 'digest', push: false } }) }
    await db.insertInto('notificationPreferences').values(row).execute()
    const channels = [{ kind: 'key_expiry', email: 'now', push: true }]
    const saved = await save(person, { channels, zone: 'Europe/Paris', digestHour: 17, quietFrom: 1320, quietUntil: 420 })
    expect(saved.json()).toMatchObject({ zone: 'Europe/Paris', digestHour: 17, quietFrom: 1320, quietUntil: 420 })
    const { channels: stored } = await db
      .selectFrom('notificationPreferences')
      .selectAll()
      .where('userId', '=', person.user.id)
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ lead: { email: 'digest', push: false }, key_expiry: { email: 'now', push: true } })
  })

  test('quiet hours hold back email and push but not the bell, and then all of it comes as one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T23:30:00Z') })
    try {
      const person = await signIn('staff')
      await save(person, { channels: all('now'), zone: 'Europe/Paris', quietFrom: 22 * 60, quietUntil: 7 * 60 })
      const browser = makeBrowser()
      expect((await ask('POST', PUSH_DEVICES, person, browser.subscription)).statusCode).toBe(201)
      await tell(person, { title: 'One' })
      vi.setSystemTime('2026-11-26T02:00:00Z')
      await tell(person, { title: 'Two' })
      expect(await db.selectFrom('notifications').select('title').where('userId', '=', person.user.id).execute()).toHaveLength(2)
      expect((await dispatches(person)).map(({ channel, dueAt }) => [channel, dueAt.toISOString()])).toEqual([
        ['email', '2026-11-26T06:00:00.000Z'],
        ['email', '2026-11-26T06:00:00.000Z'],
        ['push', '2026-11-26T06:00:00.000Z'],
        ['push', '2026-11-26T06:00:00.000Z'],
      ])
      vi.setSystemTime('2026-11-26T06:00:00Z')
      await run('notifications.dispatch')
      expect((await emailsTo(person)).map(({ data }) => data.items.map(({ title }: { title: string }) => title))).toEqual([['One', 'Two']])
      expect((await pushJobs()).map(({ title, body }) => [title, body])).toEqual([['2 notifications', 'One · Two']])
      vi.setSystemTime('2026-11-26T12:00:00Z')
      await tell(person, { title: 'By day' })
      expect((await dispatches(person)).at(-1)?.dueAt.toISOString()).toBe('2026-11-26T12:00:00.000Z')
    } finally {
      vi.useRealTimers()
    }
  })

  test('a digest leaves once, however many jobs and processes send it, and leaves out what was read', async () => {
    const person = await signIn('staff')
    await save(person, { channels: all('digest', false), digestHour: 8, zone: 'America/New_York' })
    for (const title of ['One', 'Two', 'Three']) await tell(person, { title })
    const [first] = await dispatches(person)
    await db
      .updateTable('notifications')
      .set({ readAt: new Date() })
      .where('userId', '=', person.user.id)
      .where('title', '=', 'Two')
      .execute()
    const job = { userId: person.user.id, channel: 'email' as const, dueAt: first?.dueAt.toISOString() ?? '' }
    for (let time = 0; time < 5; time += 1) await dispatchDue(job)
    expect((await emailsTo(person)).map(({ data }) => [data.isDigest, data.items.map(({ title }: { title: string }) => title)])).toEqual([
      [true, ['One', 'Three']],
    ])
  })

  test('push is encrypted for the browser alone and signed with the keys of the installation', async () => {
    const person = await signIn('staff')
    const browser = makeBrowser()
    await ask('POST', PUSH_DEVICES, person, browser.subscription)
    const { devices, publicKey } = await preferencesOf(person)
    expect(devices).toEqual([expect.objectContaining({ lastSentAt: null, hash: expect.stringMatching(/^[\da-f]{64}$/) })])
    // Neither address nor keys are readable in the table.
    expect(JSON.stringify(await db.selectFrom('pushSubscriptions').selectAll().execute())).not.toContain('push.example.com')
    await tell(person, { title: 'Grace mentioned you' })
    await run('notifications.dispatch')
    const [message] = await pushJobs()
    const { got, post } = pushService(201)
    if (message) await sendPush(message, post)
    const [request] = got
    expect(request?.url).toBe(browser.endpoint)
    expect(browser.read(request?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Grace mentioned you',
      body: '',
      link: '/leads/W-1',
      tag: message?.tag,
    })
    expect(request?.headers).toMatchObject({ 'Content-Encoding': 'aes128gcm', TTL: 86_400 })
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(request?.headers['Authorization'] ?? '') ?? []
    expect([key, (await pushKeys()).publicKey]).toEqual([publicKey, publicKey])
    const [head, claims = '', signature = ''] = token.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: 'https://push.example.com' })
    const point = Buffer.from(publicKey, 'base64url')
    const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') }
    const verified = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    expect(verified).toBe(true)
    expect((await preferencesOf(person)).devices[0]?.lastSentAt).not.toBeNull()
  })

  test('assignments and mentions are told: one for a bulk change, none to oneself', async () => {
    const [person, other] = [
      await signIn('staff'),
      await signIn('staff', { userMetadata: JSON.stringify({ first_name: 'Grace', last_name: 'Hopper' }) }),
    ]
    const titlesOf = async ({ user }: SignedIn) => {
      await run('notifications.tell')
      return (await db.selectFrom('notifications').select(['kind', 'title']).where('userId', '=', user.id).orderBy('id').execute()).map(
        ({ title }) => title,
      )
    }
    const leads = [await makeContact({ name: 'Ada Lovelace' }), await makeContact()]
    const [lead] = leads
    const ownerId = { from: null, to: other.user.id }
    expect(
      (
        await app.inject({
          method: 'PATCH',
          url: `/api/leads/${lead?.reference}`,
          headers: person.headers,
          payload: { changes: { ownerId } },
        })
      ).statusCode,
    ).toBe(200)
    const choice = { ids: leads.map(({ id }) => id) }
    for (const owner of [person, other])
      await ask('POST', '/api/leads/bulk', person, { choice, change: { change: 'owner', ownerId: owner.user.id } })
    for (const text of ['@Grace, please call', 'ask @grace hopper', 'not grace@example.com, nor @Gracex'])
      expect((await ask('POST', `/api/leads/${lead?.reference}/notes`, person, { text })).statusCode).toBe(201)
    const mention = 'You were mentioned on the lead of Ada Lovelace'
    expect(await titlesOf(other)).toEqual(['Lead assigned to you: Ada Lovelace', '2 leads assigned to you', mention, mention])
    expect(await titlesOf(person)).toEqual([])
  })
})

describe('error', () => {
  test('the clock of a zone decides, also when it changes', () => {
    const at = (zone: string, minutes: number, now: string) => nextOnClock(minutes, zone, new Date(now)).toISOString()
    // Spring: 02:30 does not exist in New York on March 8. Autumn: 01:30 comes twice on November 1; the first counts, once.
    expect(at('America/New_York', 150, '2026-03-08T05:00:00Z')).toBe('2026-03-08T07:30:00.000Z')
    expect(at('America/New_York', 90, '2026-11-01T04:00:00Z')).toBe('2026-11-01T05:30:00.000Z')
    expect(at('America/New_York', 90, '2026-11-01T05:30:00Z')).toBe('2026-11-02T06:30:00.000Z')
    expect(at('Asia/Kathmandu', 8 * 60, '2026-11-25T02:15:00Z')).toBe('2026-11-26T02:15:00.000Z')
    // A day at a time, the digest of a year comes once each day.
    let now = new Date('2026-01-01T00:00:00Z')
    const days = new Set<string>()
    for (let count = 0; count < 365; count += 1) {
      now = nextOnClock(2 * 60 + 30, 'America/New_York', now)
      days.add(Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('America/New_York').toPlainDate().toString())
    }
    expect(days.size).toBe(365)
  })

  test('quiet hours that end in the hour that comes twice end at the latest on its second time', () => {
    const times = { zone: 'America/New_York', digestHour: 8, quietFrom: 0, quietUntil: 90 }
    const due = (now: string) => dispatchTime('push', { email: 'off', push: true }, times, new Date(now))?.toISOString()
    // On November 1, 01:30 is 05:30 and 06:30 in UTC.
    expect(due('2026-11-01T05:10:00Z')).toBe('2026-11-01T05:30:00.000Z')
    expect(due('2026-11-01T05:40:00Z')).toBe('2026-11-01T05:40:00.000Z')
    expect(due('2026-11-01T06:10:00Z')).toBe('2026-11-01T06:30:00.000Z')
  })

  test('quiet hours pass midnight or not, and hold nothing without a start', () => {
    const channels = { email: 'now', push: true } as const
    const due = (quiet: [number, number] | null, now: string) =>
      dispatchTime(
        'push',
        channels,
        { zone: 'UTC', digestHour: 8, quietFrom: quiet?.[0] ?? null, quietUntil: quiet?.[1] ?? null },
        new Date(now),
      )?.toISOString()
    expect(due([1320, 420], '2026-11-25T22:00:00Z')).toBe('2026-11-26T07:00:00.000Z')
    expect(due([1320, 420], '2026-11-25T06:59:00Z')).toBe('2026-11-25T07:00:00.000Z')
    expect(due([1320, 420], '2026-11-25T07:00:00Z')).toBe('2026-11-25T07:00:00.000Z')
    expect(due([720, 780], '2026-11-25T12:30:00Z')).toBe('2026-11-25T13:00:00.000Z')
    expect(due([720, 720], '2026-11-25T12:30:00Z')).toBe('2026-11-25T12:30:00.000Z')
    expect(due(null, '2026-11-25T03:00:00Z')).toBe('2026-11-25T03:00:00.000Z')
  })

  test('a subscription that has ended is forgotten; a busy push service is tried again, a refusal is not', async () => {
    const person = await signIn('staff')
    for (const [status, kept] of [
      [410, 0],
      [404, 0],
      [503, 1],
      [429, 1],
      [400, 1],
    ] as const) {
      await db.deleteFrom('pushSubscriptions').execute()
      await ask('POST', PUSH_DEVICES, person, makeBrowser().subscription)
      const [device] = (await preferencesOf(person)).devices
      const message = { deviceId: device?.id ?? '', title: 'x', body: '', link: '/', tag: 't', subjectIds: [] }
      const sent = sendPush(message, pushService(status).post).then(
        () => 'ended',
        (error: { permanent?: boolean }) => (error.permanent ? 'refused' : 'again'),
      )
      expect([status, await sent, (await preferencesOf(person)).devices.length]).toEqual([
        status,
        kept === 0 ? 'ended' : status === 400 ? 'refused' : 'again',
        kept,
      ])
    }
  })

  test.each([
    [{ zone: 'Mars/Olympus' }, 'zone'],
    [{ digestHour: 24 }, 'digestHour'],
    [{ quietFrom: 60, quietUntil: null }, 'quietUntil'],
    [{ quietFrom: -1, quietUntil: 5 }, 'quietFrom'],
    [{ channels: [{ kind: 'lead', email: 'sometimes', push: true }] }, 'channels.0.email'],
  ])('%j is refused at its field', async (given, field) => {
    const reply = await save(await signIn('staff'), given)
    expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([422, [field]])
  })

  test('every kind has defaults, and everyone may see at least one kind', () => {
    for (const kind of kindsFor({ role: 'owner', rights: [] }))
      expect(defaultChannels(kind)).toEqual({ email: expect.any(String), push: expect.any(Boolean) })
    expect(Object.keys(notificationKinds).toSorted()).toEqual(kindsFor({ role: 'owner', rights: [] }).toSorted())
  })
})

describe('security', () => {
  test('staff who are suspended, or whose rights are paused, are not written to about leads', async () => {
    const [suspended, paused] = [await signIn('staff'), await signIn('staff')]
    for (const person of [suspended, paused]) {
      await ask('POST', PUSH_DEVICES, person, makeBrowser().subscription)
      await tell(person)
    }
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', suspended.user.id)
      .execute()
    await sql`UPDATE users SET staff_since = now() - interval '8 days' WHERE id = ${paused.user.id}`.execute(db)
    await run('notifications.dispatch')
    expect([await emailsTo(suspended), await emailsTo(paused), await pushJobs()]).toEqual([[], [], []])
  })

  test('strangers have no preferences, and the devices of others do not exist', async () => {
    const [one, other] = [await signIn('staff'), await signIn('staff')]
    const nobody = { headers: { cookie: '', 'sec-fetch-site': 'same-origin' as const } }
    const device = (await ask('POST', PUSH_DEVICES, one, makeBrowser().subscription)).json()
    for (const [method, url] of [
      ['GET', PREFERENCES],
      ['PUT', PREFERENCES],
      ['POST', PUSH_DEVICES],
      ['DELETE', `${PUSH_DEVICES}/${device.id}`],
    ] as const)
      expect([method, url, (await ask(method, url, nobody, method === 'GET' ? undefined : {})).statusCode]).toEqual([method, url, 401])
    expect((await ask('DELETE', `${PUSH_DEVICES}/${device.id}`, other)).statusCode).toBe(404)
    expect((await ask('DELETE', `${PUSH_DEVICES}/${device.id}`, one)).statusCode).toBe(204)
  })

  test('a push address that leads inside is refused', async () => {
    const person = await signIn('staff')
    const { subscription } = makeBrowser()
    for (const endpoint of [
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://[::1]/x',
      'https://169.254.169.254/',
      'http://push.example.com/',
    ])
      expect([endpoint, (await ask('POST', PUSH_DEVICES, person, { ...subscription, endpoint })).statusCode]).toEqual([endpoint, 422])
  })

  test('after a sign-out the browser gets nothing; a second account of a browser takes it over', async () => {
    const [one, other] = [await signIn('staff'), await signIn('staff')]
    const { subscription } = makeBrowser()
    const { id } = (await ask('POST', PUSH_DEVICES, one, subscription)).json()
    const message = { deviceId: id, title: 'x', body: '', link: '/', tag: 't', subjectIds: [] }
    await db.deleteFrom('sessions').where('id', '=', one.session.id).execute()
    const service = pushService(201)
    await sendPush(message, service.post)
    expect(service.got).toEqual([])
    await ask('POST', PUSH_DEVICES, other, subscription)
    expect((await db.selectFrom('pushSubscriptions').select('userId').execute()).filter(({ userId }) => userId === one.user.id)).toEqual([])
  })

  test('a person who loses the staff role is not written to about what was for staff; an account goes with its preferences', async () => {
    const person = await signIn('staff')
    await save(person, { channels: all('digest') })
    await tell(person)
    await db.updateTable('users').set({ appMetadata: '{"role":"customer"}' }).where('id', '=', person.user.id).execute()
    const [first] = await dispatches(person)
    await dispatchDue({ userId: person.user.id, channel: 'email', dueAt: first?.dueAt.toISOString() ?? '' })
    expect(await emailsTo(person)).toEqual([])
    await transaction(async (trx) => removeUser(trx, person.user, {}))
    expect(await dispatches(person)).toEqual([])
    expect(await db.selectFrom('notificationPreferences').selectAll().where('userId', '=', person.user.id).execute()).toEqual([])
  })
})
