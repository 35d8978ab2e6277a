import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { MAIL_REPLY_ADDRESS: 'replies@example.com' }))

import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { notificationPreferences, PREFERENCES } from '#app/account/notifications/preference.ts'
import { tellClocks } from '#app/leads/clocks/clock-notice.server.ts'
import { listLeadFiles } from '#app/leads/reply/lead-file.server.ts'
import { replyAddressOf } from '#app/leads/lead/reply-address.server.ts'
import { mailPrograms, replyOf } from '#test/email-threads.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'
import { ownText } from '#app/leads/reply/quoted.ts'
import { LARGEST_EMAIL, type MailboxPosition, MailboxTaken, receiveEmail } from './receive-email.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
let position: MailboxPosition
beforeEach(async () => {
  for (const table of ['leadMessages', 'jobs', 'mailboxes', 'contacts', 'people'] as const) await db.deleteFrom(table).execute()
  position = { name: 'ada@localhost/INBOX', uidValidity: 1, lastUid: 0 }
  await db.insertInto('mailboxes').values(position).execute()
})

async function receive(bytes: Uint8Array | string, size = bytes.length) {
  const fetched = { uid: position.lastUid + 1, receivedAt: new Date('2026-11-24T09:00:00Z'), size, bytes: Buffer.from(bytes) }
  position = await receiveEmail(position, fetched)
}

const email = (headers: string[], body = 'The text.') => ['MIME-Version: 1.0', ...headers, '', body].join('\r\n')
const newest = async () =>
  db.selectFrom('leadMessages').selectAll().where('direction', '=', 'in').orderBy('id', 'desc').executeTakeFirstOrThrow()
const eventsOf = async (contactId: string) =>
  (
    await db.selectFrom('leadEvents').select(['kind', 'messageId', 'detail']).where('contactId', '=', contactId).orderBy('id').execute()
  ).filter(({ messageId }) => messageId)
const noticesOf = async () =>
  (await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').orderBy('id').execute()).map(
    ({ payload }) => payload,
  )

/** An email of ours about a lead. Returns its Message-ID. */
async function writeTo(contactId: string, to: string, messageId = `<${newId()}@localhost>`) {
  await insert(db, 'leadMessages', {
    contactId,
    direction: 'out',
    state: 'sent',
    messageId,
    fromAddress: 'hello@localhost',
    toAddresses: [to],
    subject: 'Prices',
  })
  return messageId
}

type Case = { contact: { id: string; reference: string; email: string }; sent: string; earlier: string }

/** The ways in which a reply names its lead; each mail program uses each. */
const ways: Record<string, (given: Case) => { thread?: string[]; to?: string; from?: string; subject?: string; matchedBy: string }> = {
  'In-Reply-To and References': ({ sent }) => ({ thread: [`In-Reply-To: ${sent}`, `References: ${sent}`], matchedBy: 'thread' }),
  'In-Reply-To alone': ({ sent }) => ({ thread: [`In-Reply-To: ${sent}`], matchedBy: 'thread' }),
  'References alone': ({ sent }) => ({ thread: [`References: ${sent}`], matchedBy: 'thread' }),
  'References over several lines, with emails of others': ({ sent }) => ({
    thread: [`References: <first@other.example>\r\n\t<second@other.example>\r\n ${sent}`],
    matchedBy: 'thread',
  }),
  'an earlier email of theirs': ({ earlier }) => ({ thread: [`References: ${earlier}`], matchedBy: 'thread' }),
  'a colleague who answers in the thread': ({ sent }) => ({
    thread: [`In-Reply-To: ${sent}`],
    from: `colleague-${newId()}@else.example`,
    matchedBy: 'thread',
  }),
  'References that the mail server has changed, with a reply address': ({ contact }) => ({
    thread: ['References: <changed@relay.example>'],
    to: replyAddressOf(contact.id) ?? '',
    matchedBy: 'token',
  }),
  'a reply address alone': ({ contact }) => ({ to: `Winnow <${replyAddressOf(contact.id)}>`, matchedBy: 'token' }),
  'a reply address in capitals': ({ contact }) => ({ to: replyAddressOf(contact.id)?.toUpperCase() ?? '', matchedBy: 'token' }),
  'a reply address in a copy, from an unknown address': ({ contact }) => ({
    to: `boss@else.example, ${replyAddressOf(contact.id)}`,
    from: 'private@home.example',
    matchedBy: 'token',
  }),
  'a reply address that only the mail server notes': ({ contact }) => ({
    thread: [`Delivered-To: ${replyAddressOf(contact.id)}`],
    to: 'list@example.com',
    matchedBy: 'token',
  }),
  'the sender alone': () => ({ matchedBy: 'sender' }),
  'the sender in capitals': ({ contact }) => ({ from: contact.email.toUpperCase(), matchedBy: 'sender' }),
  'the sender, and the reference in the subject': ({ contact }) => ({
    subject: `Re: We have your enquiry ${contact.reference}`,
    matchedBy: 'sender',
  }),
  'a reply to an automatic email of ours': () => ({
    thread: ['In-Reply-To: <automatic@localhost>'],
    from: 'private@home.example',
    matchedBy: 'thread',
  }),
}

describe('threads', () => {
  test('each of 60 replies, written by four mail programs, finds its lead and its own words', async () => {
    const wrong: string[] = []
    let count = 0
    for (const program of mailPrograms) {
      for (const [way, choose] of Object.entries(ways)) {
        count += 1
        await db.deleteFrom('contacts').execute()
        await db.deleteFrom('jobs').execute()
        const contact = await makeContact({
          email: `ada-${count}@shop.example`,
          reference: `W-${String(count).padStart(6, '2')}`,
          createdAt: new Date('2026-11-20'),
        })
        // Where only the reference tells, the other lead is newer.
        const createdAt = new Date(way.includes('reference in the subject') ? '2026-11-22' : '2026-11-19')
        const other = await makeContact({ email: contact.email, personId: contact.personId, createdAt })
        await makeContact({ email: `bob-${count}@shop.example` })
        const payload = {
          kind: 'acknowledgement',
          to: contact.email,
          messageId: '<automatic@localhost>',
          subject: `We have your enquiry ${contact.reference}`,
        }
        await insert(db, 'jobs', { kind: 'letter', payload: JSON.stringify(payload), doneAt: new Date() })
        await writeTo(other.id, contact.email)
        const sent = await writeTo(contact.id, contact.email)
        const earlier = `<earlier-${count}@shop.example>`
        await receive(
          replyOf({
            program,
            from: contact.email,
            to: 'hello@localhost',
            subject: 'Re: Prices',
            messageId: earlier,
            thread: [`In-Reply-To: ${sent}`],
            own: 'First.',
            quoted: 'Hello.',
          }),
        )
        const { matchedBy, ...given } = choose({ contact, sent, earlier })
        const own = `Answer ${count} to your question.`
        const reply = {
          from: contact.email,
          to: 'hello@localhost',
          subject: 'Re: Prices',
          ...given,
          messageId: `<${newId()}@shop.example>`,
        }
        await receive(replyOf({ program, ...reply, own, quoted: 'We have forty shops.' }))
        const found = await newest()
        const isRight =
          found.contactId === contact.id &&
          found.matchedBy === matchedBy &&
          found.kind === 'message' &&
          ownText(found.text).startsWith(own) &&
          !ownText(found.text).includes('forty')
        const isFolded =
          found.html === null ||
          (/^(?:(?!<details).)*Answer/s.test(found.html) && /<details data-quoted.*forty.*<\/details>/s.test(found.html))
        if (!isRight || !isFolded) wrong.push(`${program}: ${way}: ${found.matchedBy} ${JSON.stringify(ownText(found.text))} ${found.html}`)
      }
    }
    expect(wrong).toEqual([])
    expect(count).toBe(60)
  })
})

describe('one email', () => {
  test('about a lead whose owner left the staff is told to everyone else on the staff, and not to them', async () => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    const former = await signIn('staff')
    await db.updateTable('leads').set({ ownerId: former.user.id }).where('contactId', '=', contact.id).execute()
    await db.updateTable('users').set({ appMetadata: '{}' }).where('id', '=', former.user.id).execute()
    await receive(email(['From: Ada <ada@shop.example>', 'Message-ID: <1@shop.example>', 'Subject: The list']))
    expect(await noticesOf()).toMatchObject([{ kind: 'reply', to: { roles: ['staff', 'owner'] } }])
  })

  test.each(['suspended', 'paused'])('about a lead whose owner is %s is told to everyone else on the staff, too', async (what) => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    const { user } = await signIn('staff')
    await db.updateTable('leads').set({ ownerId: user.id }).where('contactId', '=', contact.id).execute()
    await (
      what === 'paused'
        ? sql`UPDATE users SET staff_since = now() - interval '8 days' WHERE id = ${user.id}`
        : sql`UPDATE users SET banned_until = now() + interval '1 hour' WHERE id = ${user.id}`
    ).execute(db)
    await receive(email(['From: Ada <ada@shop.example>', 'Message-ID: <1@shop.example>', 'Subject: The list']))
    expect(await noticesOf()).toMatchObject([{ kind: 'reply', to: { roles: ['staff', 'owner'] } }])
  })

  test('is stored once with its files, tells the owner, and moves the position in the same transaction', async () => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    await db.updateTable('leads').set({ ownerId: staff.user.id }).where('contactId', '=', contact.id).execute()
    const bytes = email(
      ['From: Ada <ada@shop.example>', 'Message-ID: <1@shop.example>', 'Subject: The list', 'Content-Type: multipart/mixed; boundary=b'],
      [
        '--b',
        'Content-Type: text/plain',
        '',
        'Here it is.',
        '--b',
        'Content-Type: image/png; name=../../list.png',
        'Content-Disposition: attachment',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('%PDF-1.7 x').toString('base64'),
        '--b--',
      ].join('\r\n'),
    )
    await receive(bytes)
    const stored = await newest()
    expect(stored).toMatchObject({
      contactId: contact.id,
      matchedBy: 'sender',
      text: 'Here it is.',
      createdAt: new Date('2026-11-24T09:00:00Z'),
    })
    const [file] = await db.selectFrom('leadFiles').selectAll().execute()
    expect(file).toMatchObject({
      contactId: contact.id,
      messageId: stored.id,
      name: 'list.png',
      type: 'application/pdf',
      size: 10,
      source: 'email',
    })
    expect(await eventsOf(contact.id)).toEqual([
      { kind: 'email_received', messageId: stored.id, detail: { matchedBy: 'sender', from: 'ada@shop.example', title: 'The list' } },
    ])
    expect(await noticesOf()).toEqual([
      expect.objectContaining({
        kind: 'reply',
        title: 'Reply from Ada',
        link: `/leads/${contact.reference}`,
        to: { userIds: [staff.user.id] },
      }),
    ])
    expect(await db.selectFrom('mailboxes').select('lastUid').executeTakeFirst()).toEqual({ lastUid: 1 })

    // The same bytes at another place of the folder.
    await receive(bytes)
    expect(await db.selectFrom('leadMessages').selectAll().where('direction', '=', 'in').execute()).toHaveLength(1)
    // A process that has fallen behind stores nothing.
    const late = receiveEmail(
      { ...position, lastUid: 0 },
      { uid: 9, receivedAt: new Date(), size: 40, bytes: Buffer.from(email(['Subject: late'])) },
    )
    await expect(late).rejects.toBeInstanceOf(MailboxTaken)
    expect(await newest()).toMatchObject({ subject: 'The list' })

    const url = `/api/lead-files/${file?.id}`
    const download = await app.inject({ url, headers: staff.headers })
    expect([download.statusCode, download.body, download.headers['content-disposition']]).toEqual([
      200,
      '%PDF-1.7 x',
      `attachment; filename="list.png"; filename*=UTF-8''list.png`,
    ])
    expect(download.headers['content-type']).toBe('application/octet-stream')
    // Files of a deleted lead are gone as it is.
    await db.updateTable('contacts').set({ deletedAt: new Date() }).execute()
    expect((await app.inject({ url, headers: staff.headers })).statusCode).toBe(404)
    // With its lead the row goes, and a job for the bytes comes.
    await db.deleteFrom('contacts').execute()
    const job = await db
      .selectFrom('jobs')
      .select('payload')
      .where('kind', '=', 'lead-files.remove')
      .orderBy('runAt', 'desc')
      .executeTakeFirst()
    expect(job?.payload).toEqual({ id: file?.id, storedAs: file?.storedAs })
  })

  test('shows the pictures that it brings with it, and no others, without loading anything', async () => {
    const picture = async (format: 'png' | 'jpeg' | 'gif' | 'webp') =>
      sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
        .toFormat(format)
        .toBuffer()
    const formats = ['png', 'jpeg', 'gif', 'webp'] as const
    const large = Buffer.concat([await picture('png'), Buffer.alloc(6 * 1024 * 1024)])
    const parts = [...(await Promise.all(formats.map(picture))), Buffer.from('<svg onload="alert(1)"/>'), large]
    const markup = parts.map((_part, at) => `<img src="cid:part%2B${at}@shop.example" alt="a${at}">`).join('')
    await receive(
      email(
        ['From: ada@shop.example', 'Subject: Pictures', 'Content-Type: multipart/related; boundary=b'],
        [
          '--b',
          'Content-Type: text/html',
          '',
          `<p>Look: ${markup}<img src="cid:unknown" alt="none"></p>`,
          ...parts.flatMap((part, at) => [
            '--b',
            // Each says the wrong type.
            'Content-Type: image/bmp',
            `Content-ID: <part+${at}@shop.example>`,
            'Content-Transfer-Encoding: base64',
            '',
            part.toString('base64'),
          ]),
          '--b--',
        ].join('\r\n'),
      ),
    )
    const { id } = await newest()
    const shown = await app.inject({ url: `/api/lead-messages/${id}/html`, headers: staff.headers })
    const pictures = [...shown.body.matchAll(/<img[^>]*>/g)].map(([tag]) => tag)
    expect(pictures).toEqual([
      ...formats.map((format, at) => `<img src="data:image/${format};base64,${parts[at]?.toString('base64')}" alt="a${at}">`),
      '<img alt="a4">',
      '<img alt="a5">',
      '<img alt="none">',
    ])
    expect(shown.headers['content-security-policy']).toMatch(/default-src 'none'.*img-src data:;.*sandbox (?!.*allow-scripts)/)
    expect(await db.selectFrom('leadMessages').select('hasRemoteContent').where('id', '=', id).executeTakeFirst()).toEqual({
      hasRemoteContent: false,
    })
    // A file of another email is not shown, whatever the HTML says.
    const { html } = await newest()
    await receive(email(['From: eve@shop.example', 'Subject: Others', 'Content-Type: text/html'], '<p>x</p>'))
    await db.updateTable('leadMessages').set({ html }).where('subject', '=', 'Others').execute()
    const without = await app.inject({ url: `/api/lead-messages/${(await newest()).id}/html`, headers: staff.headers })
    expect(without.body).toContain('<img data-inline=')
    expect(without.body).not.toContain('src=')
  })

  test('has links to other places only, and none into our own site', async () => {
    const links = [
      '/api/logout',
      'https:/api/logout',
      '//evil.example/x',
      'api/logout',
      '?x',
      '#x',
      'javascript:alert(1)',
      ' data:text/html,x',
    ]
    const good = ['https://shop.example/a?b=1', 'http://shop.example/', 'mailto:ada@shop.example', 'tel:+4930123']
    const body = [...links, ...good].map((href) => `<a href="${href}">x</a>`).join('')
    await receive(email(['From: ada@shop.example', 'Subject: Links', 'Content-Type: text/html'], body))
    const { html } = await newest()
    expect([...(html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['https://api/logout', ...good])
  })

  test('is matched by the one address that it asks to answer, and tells of that person', async () => {
    const contact = await makeContact({ email: 'ada@customer.example' })
    await makeContact({ email: 'noreply@forms.example' })
    const form = ['From: "Website form" <noreply@forms.example>', 'Subject: New request']
    await receive(email([...form, 'Reply-To: "Ada Byron" <Ada@customer.example>']))
    expect(await newest()).toMatchObject({
      contactId: contact.id,
      fromAddress: 'noreply@forms.example',
      replyToName: 'Ada Byron',
      replyToAddress: 'Ada@customer.example',
    })
    expect(await noticesOf()).toEqual([expect.objectContaining({ title: 'Reply from Ada Byron' })])
    // Several addresses name nobody, and ours is no person's.
    for (const header of [
      'Reply-To: a@customer.example, b@customer.example',
      'Reply-To: hello@localhost',
      'Reply-To: replies@example.com',
    ]) {
      await receive(email([...form, header]))
      expect(await newest()).toMatchObject({ replyToAddress: '' })
    }
  })

  test.each<[string, string[], string]>([
    ['in Latin-1', ['Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: 8bit'], 'Gr\xfc\xdfe'],
    ['without a charset', [], 'Gr\xfc\xdfe'],
    ['with a wrong charset', ['Content-Type: text/plain; charset="utf-8"; format=flowed'], 'Gr\xfc\xdfe'],
    ['in UTF-8 that says Latin-1', ['Content-Type: text/plain;\r\n charset=iso-8859-1'], 'Gr\xc3\xbc\xc3\x9fe'],
    ['in quoted-printable without a charset', ['Content-Transfer-Encoding: quoted-printable'], 'Gr=FC=\r\n=DFe'],
    [
      'in base64 with a wrong charset',
      ['Content-Type: text/plain; charset=us-ascii', 'Content-Transfer-Encoding: base64'],
      Buffer.from('Grüße').toString('base64'),
    ],
    [
      'in parts',
      ['Content-Type: multipart/alternative; boundary="b b"'],
      '--b b\r\nContent-Type: text/plain\r\n\r\nGr\xfc\xdfe\r\n--b b\r\nContent-Type: text/html\r\n\r\n<p>Gr\xfc\xdfe</p>\r\n--b b--\r\n',
    ],
  ])('%s keeps its umlauts, in the name, the subject and the text', async (_name, headers, body) => {
    const raw = [
      'From: J\xfcrgen <j@latin.example>',
      'Subject: Angebot f\xfcr K\xf6ln =?utf-8?Q?gr=FCn?= =?iso-8859-1?Q?sch\xf6n?=',
      ...headers,
    ]
    await receive(Buffer.from(email(raw, body), 'latin1'))
    const { fromName, fromAddress, subject, text, html } = await newest()
    expect([fromName, fromAddress, subject, text]).toEqual(['Jürgen', 'j@latin.example', 'Angebot für Köln grünschön', 'Grüße'])
    expect(html ?? 'Grüße').toContain('Grüße')
  })

  test('of thousands of parts inside each other is judged in a moment, and not only given up after a while', async () => {
    const parts = Array.from({ length: 8000 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`)
    await receive(`From: eve@example.com\r\n${parts.join('')}\r\nInside.\r\n${'--\r\n'.repeat(9000)}`)
    expect((await newest()).error).toContain('It is not written as emails are.')
  })

  test('of more than 25 MB is stored without its content, and says so', async () => {
    const head = email(
      ['From: ada@shop.example', 'Subject: Film', 'Content-Type: multipart/mixed; boundary=b'],
      '--b\r\nContent-Type: text/plain\r\n\r\nabc',
    )
    await receive(head, 100 * 1024 * 1024)
    expect(await newest()).toMatchObject({
      subject: 'Film',
      fromAddress: 'ada@shop.example',
      text: '',
      error: 'It is larger than 25 MB. Only its headers are stored.',
    })
    expect(LARGEST_EMAIL).toBe(26_214_400)
  })

  test('from our own outbox is left out', async () => {
    const payload = { kind: 'new-lead', to: 'hello@localhost', messageId: '<notice@localhost>', subject: 'New enquiry' }
    await insert(db, 'jobs', { kind: 'letter', payload: JSON.stringify(payload), doneAt: new Date() })
    await receive(email(['From: Winnow <hello@localhost>', 'Message-ID: <notice@localhost>', 'Subject: New enquiry']))
    await receive(email(['From: Winnow <hello@localhost>', 'Message-ID: <someone@else.example>', 'Subject: Written as we']))
    expect((await db.selectFrom('leadMessages').select('subject').execute()).map(({ subject }) => subject)).toEqual(['Written as we'])
  })
})

describe('automatic emails', () => {
  const automatic: Record<string, string[]> = {
    'RFC 3834': ['Auto-Submitted: auto-replied (vacation)'],
    'a bulk email': ['Precedence: bulk'],
    'X-Autoreply': ['X-Autoreply: yes'],
    'X-Autorespond': ['X-Autorespond: Re: Prices'],
    'an empty return path': ['Return-Path: <>'],
    'a subject in German': ['Subject: Automatische Antwort: Prices'],
    'a subject in English': ['Subject: Out of Office: back on Monday'],
    'a read receipt': ['Content-Type: multipart/report; report-type=disposition-notification; boundary=b'],
  }
  test.each(Object.entries(automatic))('%s is in the timeline and told to nobody', async (_name, headers) => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    await receive(email(['From: ada@shop.example', ...headers]))
    expect((await eventsOf(contact.id)).map(({ kind }) => kind)).toEqual(['autoreply_received'])
    expect(await noticesOf()).toEqual([])
    expect((await db.selectFrom('contacts').select('answeredAt').executeTakeFirstOrThrow()).answeredAt).toBeNull()
  })

  test.each([['Auto-Submitted: no'], ['Precedence: list'], ['Subject: Automatic orders, out of the office'], ['X-Autoreply: no']])(
    '%s is written by a person',
    async (header) => {
      const contact = await makeContact({ email: 'ada@shop.example' })
      await receive(email(['From: ada@shop.example', header]))
      expect((await eventsOf(contact.id)).map(({ kind }) => kind)).toEqual(['email_received'])
    },
  )
})

describe('what a bounce is', () => {
  const kindOf = async (headers: string[], body?: string) => {
    await receive(email(headers, body))
    return (await newest()).kind
  }
  test('a delivery report, nobody as its sender, the mailer daemon, or an empty return path with a failure', async () => {
    expect(await kindOf(['From: MAILER-DAEMON <>', 'Subject: Mail delivery failed'])).toBe('bounce')
    expect(await kindOf(['From: <>', 'Subject: Hello'])).toBe('bounce')
    expect(await kindOf(['From: Mail Delivery System <MAILER-DAEMON@relay.example>', 'Subject: Warning'])).toBe('bounce')
    expect(await kindOf(['From: ada@shop.example', 'Return-Path: <>'], 'Remote host said: 550 5.1.1 User unknown')).toBe('bounce')
    const part = '--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\n--b--'
    expect(await kindOf(['From: mta@relay.example', 'Content-Type: multipart/mixed; boundary=b'], part)).toBe('bounce')
  })

  test('an empty return path alone is that of an automatic reply, and a person may write about failures', async () => {
    expect(await kindOf(['From: ada@shop.example', 'Return-Path: <>', 'Subject: Away'], 'Call extension 550.')).toBe('autoreply')
    expect(await kindOf(['From: ada@shop.example', 'Subject: Delivery failed'], 'We got 550 5.1.1 from you.')).toBe('message')
    expect(await kindOf(['Subject: No sender at all'])).toBe('message')
  })
})

describe('bounces', () => {
  const report = (address: string, original: string, action = 'failed', status = '5.1.1') =>
    email(
      [
        'From: MAILER-DAEMON@relay.example',
        'Subject: Undelivered Mail Returned to Sender',
        'Auto-Submitted: auto-replied',
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      ],
      [
        '--b',
        'Content-Type: text/plain',
        '',
        'I am sorry.',
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; relay.example',
        '',
        `Final-Recipient: rfc822; ${address}`,
        `Action: ${action}`,
        `Status: ${status}`,
        'Diagnostic-Code: smtp; 550 5.1.1',
        ' no such user',
        '--b',
        'Content-Type: message/rfc822',
        '',
        `Message-ID: ${original}`,
        'Subject: Prices',
        '',
        'Hello.',
        '--b--',
      ].join('\r\n'),
    )
  const person = async () =>
    db.selectFrom('people').select(['bouncedAt', 'bounceReason']).where('email', '=', 'ada@shop.example').executeTakeFirstOrThrow()

  test('a report marks the address of an email that we sent, with the reason, until the person writes', async () => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    const sent = await writeTo(contact.id, 'Ada@shop.example')
    await receive(report('ada@shop.example', sent))
    expect(await newest()).toMatchObject({ kind: 'bounce', contactId: contact.id, matchedBy: 'thread' })
    expect(await person()).toEqual({ bouncedAt: expect.any(Date), bounceReason: '550 5.1.1 no such user' })
    expect((await eventsOf(contact.id)).map(({ kind }) => kind)).toEqual(['email_bounced'])
    // The parts of the report are beside it, and not among the files of the lead.
    expect(await listLeadFiles(contact.id)).toEqual([])
    expect(await noticesOf()).toEqual([
      expect.objectContaining({ kind: 'email_failed', title: `Email about ${contact.reference} came back` }),
    ])
    await receive(email(['From: ada@shop.example', 'Subject: I am here']))
    expect(await person()).toEqual({ bouncedAt: null, bounceReason: null })
  })

  test('a plain email of a postmaster does as well', async () => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    const sent = await writeTo(contact.id, 'ada@shop.example')
    const text = `Hi. This is the qmail-send program.\r\n\r\n<ada@shop.example>:\r\n192.0.2.1 failed after I sent the message.\r\nRemote host said: 550 user unknown\r\n\r\n--- Below this line is a copy of the message.\r\n\r\nMessage-ID: ${sent}\r\nTo: ada@shop.example\r\n`
    await receive(email(['From: MAILER-DAEMON@relay.example', 'Subject: failure notice'], text))
    expect(await newest()).toMatchObject({ kind: 'bounce', contactId: contact.id })
    expect(await person()).toEqual({ bouncedAt: expect.any(Date), bounceReason: '550 user unknown' })
  })

  test('a daemon that has no report names the address in its sentence', async () => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    const sent = await writeTo(contact.id, 'ada@shop.example')
    const text = `There was an error delivering your mail to <ada@shop.example>.\r\n\r\n550 5.1.1 User unknown\r\n\r\nMessage headers follow.\r\n\r\nTo: <bob@shop.example>\r\nMessage-ID: ${sent}\r\n`
    await receive(email(['From: MAILER-DAEMON <>', 'Subject: Mail delivery failed'], text))
    expect(await newest()).toMatchObject({ kind: 'bounce', contactId: contact.id })
    expect(await person()).toEqual({ bouncedAt: expect.any(Date), bounceReason: '550 5.1.1 User unknown' })
  })

  test('a forged report marks nothing and alarms nobody, however it reaches the lead', async () => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    await writeTo(contact.id, 'ada@shop.example')
    const forged = report('ada@shop.example', '<forged@else.example>')
    await receive(forged)
    await receive(forged.replace('MAILER-DAEMON@relay.example', 'ada@shop.example'))
    await receive(`To: ${replyAddressOf(contact.id)}\r\n${forged}`)
    expect(await person()).toEqual({ bouncedAt: null, bounceReason: null })
    expect((await eventsOf(contact.id)).map(({ kind }) => kind)).toEqual(['autoreply_received', 'autoreply_received'])
    expect(await noticesOf()).toEqual([])
  })

  test('a delay marks nothing, and neither does a report about an address that we never wrote to', async () => {
    const contact = await makeContact({ email: 'ada@shop.example' })
    await receive(report('ada@shop.example', '<forged@else.example>'))
    expect(await newest()).toMatchObject({ kind: 'bounce', contactId: null })
    const sent = await writeTo(contact.id, 'ada@shop.example')
    await receive(report('ada@shop.example', sent, 'delayed', '4.4.1'))
    expect(await person()).toEqual({ bouncedAt: null, bounceReason: null })
  })
})

describe('notices', () => {
  const MINUTE = 60_000

  /** Runs the jobs of `notify`, and returns the notices of a person with the channels and moments at which each leaves. */
  async function told(userId: string) {
    const jobs = await db.selectFrom('jobs').selectAll().where('kind', '=', 'notifications.tell').orderBy('id').execute()
    for (const { id, payload } of jobs)
      await jobOf('notifications.tell').run(payload, { id, attempt: 1, signal: new AbortController().signal })
    await db.deleteFrom('jobs').where('kind', '=', 'notifications.tell').execute()
    const rows = await db
      .selectFrom('notifications')
      .leftJoin('notificationDispatches as sent', 'sent.notificationId', 'notifications.id')
      .select(['kind', 'channel', 'dueAt'])
      .where('notifications.userId', '=', userId)
      .orderBy('notifications.id')
      .orderBy('channel')
      .execute()
    await db.deleteFrom('notifications').execute()
    return rows.map(({ kind, channel, dueAt }) => [kind, channel, dueAt && (dueAt.getTime() > Date.now() + MINUTE ? 'later' : 'now')])
  }
  async function choose(email: 'off' | 'now' | 'digest', push: boolean) {
    const { headers } = staff
    const { channels } = notificationPreferences.parse((await app.inject({ url: PREFERENCES, headers })).json())
    const chosen = channels.map((each) => (['reply', 'clock'].includes(each.kind) ? { ...each, email, push } : each))
    // An hour that is at least 23 hours away.
    const payload = { channels: chosen, zone: 'UTC', digestHour: new Date().getUTCHours(), quietFrom: null, quietUntil: null }
    expect((await app.inject({ method: 'PUT', url: PREFERENCES, headers, payload })).statusCode).toBe(200)
  }

  test('of replies and of clocks leave by the channels that the person has chosen for them', async () => {
    let count = 0
    const events = async () => {
      const { id, promisedFrom, email: from } = await makeContact({ email: `ada-${(count += 1)}@shop.example`, createdAt: new Date() })
      await db.updateTable('leads').set({ ownerId: staff.user.id }).where('contactId', '=', id).execute()
      // A new lead has notices of its own.
      await db.deleteFrom('jobs').execute()
      await receive(email([`From: ${from}`, 'Subject: Prices', `Message-ID: <${count}@shop.example>`]))
      await tellClocks(new Date(promisedFrom.getTime() + 110 * MINUTE))
      const rows = await told(staff.user.id)
      await db.deleteFrom('contacts').execute()
      return rows
    }
    const pairs = (channels: (string | null)[][]) => ['reply', 'clock'].flatMap((kind) => channels.map((each) => [kind, ...each]))
    // Without saved preferences, both concern one person, so they come by email and push.
    expect(await events()).toEqual(
      pairs([
        ['email', 'now'],
        ['push', 'now'],
      ]),
    )
    await choose('off', false)
    expect(await events()).toEqual(pairs([[null, null]]))
    await choose('digest', false)
    expect(await events()).toEqual(pairs([['email', 'later']]))
    await choose('now', true)
    expect(await events()).toEqual(
      pairs([
        ['email', 'now'],
        ['push', 'now'],
      ]),
    )
  })
})
