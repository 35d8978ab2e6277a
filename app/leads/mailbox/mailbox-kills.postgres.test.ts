import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import { type Dovecot, startCuttable, startDovecot } from '#test/dovecot.ts'
import { makeContact } from '#test/factories.ts'
import { byLength } from '#test/length.ts'

/** Kills, and as many cut connections. */
const ROUNDS = byLength(1, 20)
const EMAILS = byLength(60, 2000)
/** Bundled, because Node alone cannot read what the build fills in. */
const PROGRAM = 'node_modules/.cache/winnow/mailbox-process'

let dovecot: Dovecot
let line: Awaited<ReturnType<typeof startCuttable>>
let child: ChildProcess | undefined

beforeAll(async () => {
  const input = { 'mailbox-process': 'test/mailbox-process.ts', 'read-email-worker': 'app/leads/mailbox/read-email-worker.server.ts' }
  await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'import.meta.env.PROD': 'true' },
    build: { ssr: true, outDir: PROGRAM, copyPublicDir: false, rolldownOptions: { input, output: { entryFileNames: '[name].js' } } },
  })
  await openDatabase()
  dovecot = await startDovecot()
  line = await startCuttable(dovecot.port)
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await line.stop()
  await dovecot.stop()
  await closeDatabase()
})

function start() {
  const { DATABASE_URL, DATA_DIR, SITE_URL } = env
  const settings = {
    PATH: process.env['PATH'],
    DATABASE_URL,
    DATA_DIR,
    SITE_URL,
    IMAP_URL: dovecot.urlOf('kill', line.port),
    LOG_LEVEL: 'silent',
  }
  child = spawn(process.execPath, [`${PROGRAM}/mailbox-process.js`], { env: settings, stdio: ['ignore', 'inherit', 'inherit'] })
}

async function kill() {
  const gone = child && once(child, 'exit')
  child?.kill('SIGKILL')
  await gone
  start()
}

const file = (at: number) => Buffer.from(`File ${at} `.repeat(2_000))

/** Each third has a file, and each second is from a person with a lead. */
function emailOf(at: number): string {
  const head = [
    `From: ${at % 2 === 0 ? 'ada' : 'eve'}@shop.example`,
    `Subject: Email ${at}`,
    `Message-ID: <${at}@shop.example>`,
    'MIME-Version: 1.0',
  ]
  if (at % 3 !== 0) return [...head, '', `Text ${at}.`].join('\r\n')
  const attached = [
    '--b',
    'Content-Type: text/plain; name=file.txt',
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
    '',
  ]
  return [
    ...head,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    `Text ${at}.`,
    ...attached,
    file(at).toString('base64'),
    '--b--',
    '',
  ].join('\r\n')
}

const countEmails = async () => (await db.selectFrom('leadMessages').select(rowCount.as('count')).executeTakeFirstOrThrow()).count

async function untilStored(count: number) {
  for (let tries = 0; tries < 6_000 && (await countEmails()) < count; tries += 1) await sleep(10)
}

test('through kills and cut connections, each email is stored once, with its file and its event', async () => {
  const lead = await makeContact({ email: 'ada@shop.example' })
  const sender = await dovecot.client('kill')
  start()
  const sending = (async () => {
    for (let at = 0; at < EMAILS; at += 1) await sender.append('INBOX', emailOf(at))
    await sender.logout()
  })()
  const began = performance.now()
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    // Each interruption comes while emails are being read.
    await untilStored(Math.floor((EMAILS * round) / (2 * ROUNDS + 1)) + 1)
    if (round % 2 === 0) await kill()
    else line.cut()
  }
  await sending
  await untilStored(EMAILS)
  const seconds = (performance.now() - began) / 1000

  const rows = await db.selectFrom('leadMessages').select(['id', 'subject', 'text', 'contactId']).execute()
  const stored = rows.map(({ subject }) => Number(subject.replace('Email ', ''))).toSorted((one, other) => one - other)
  expect(stored).toEqual(Array.from({ length: EMAILS }, (_each, at) => at))
  expect(rows.filter(({ subject, text }) => text !== subject.replace('Email', 'Text') + '.')).toEqual([])
  expect(rows.filter(({ contactId }) => contactId === lead.id)).toHaveLength(EMAILS / 2)
  const events = await db.selectFrom('leadEvents').select('messageId').where('kind', '=', 'email_received').execute()
  expect(new Set(events.map(({ messageId }) => messageId)).size).toBe(EMAILS / 2)
  expect(events).toHaveLength(EMAILS / 2)
  expect((await db.selectFrom('mailboxes').selectAll().executeTakeFirstOrThrow()).lastUid).toBe(EMAILS)

  const files = await db
    .selectFrom('leadFiles')
    .innerJoin('leadMessages', 'leadMessages.id', 'leadFiles.messageId')
    .select(['storedAs', 'subject'])
    .execute()
  expect(files).toHaveLength(Math.ceil(EMAILS / 3))
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  for (const { storedAs, subject } of files) {
    const found = await openFile(storedAs)
    expect(digest(Buffer.concat(await Array.fromAsync(found?.stream ?? [])))).toBe(digest(file(Number(subject.replace('Email ', '')))))
  }
  if (process.env['MAILBOX_EMAILS'])
    process.stdout.write(`${EMAILS} emails, ${ROUNDS} kills and ${ROUNDS} cuts: each stored once, in ${seconds.toFixed(0)} s\n`)
}, 900_000)
