import { afterAll, expect, test, vi } from 'vitest'

const { provider } = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const provider = await startProvider()
  const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${provider.base}/keycloak` }
  for (const [key, value] of Object.entries(settings)) process.env[`EXTERNAL_KEYCLOAK_${key}`] = value
  // The limits stay on, because they also tell who asked first. They must not refuse one of thousands of requests.
  const many = Object.fromEntries(['OTP', 'VERIFY', 'TOKEN_REFRESH', 'EMAIL_SENT'].map((name) => [`RATE_LIMIT_${name}`, '100000']))
  Object.assign(process.env, many, { SMTP_MAX_FREQUENCY: '0', OWNER_EMAIL: 'boss@example.com' })
  return { provider }
})

import { db } from '#app/platform/database/db.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { adminClient } from '#test/admin.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, someEmail, VERSION } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { emailsTo } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'
import { byLength, inTurn } from '#test/length.ts'
import { CLIENT } from '#test/provider-server.ts'

const app = await startApp()
const admin = await adminClient(app)
startJobs()
afterAll(async () => {
  await stopJobs()
  await provider.close()
})

const OWNER = 'boss@example.com'
const THEIRS = 'a password of the stranger'
const MINE = 'a password of the person'
const CHOSEN = 'chosen when they were asked'

/** A browser in a network of its own. */
function newBrowser() {
  const { cookies, send: sendHere } = browser(app)
  const remoteAddress = newNetwork()
  const send = (options: Parameters<typeof sendHere>[0]) => sendHere({ remoteAddress, ...options })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (url: string, fields: Record<string, string>) =>
    send({ method: 'POST', url, headers, payload: new URLSearchParams(fields).toString() })
  return { cookies, send, post }
}

type Browser = ReturnType<typeof newBrowser>
/** One of the two people: a browser of their own, and the password that they type. */
type Someone = { at: Browser; password: string }
type Act = (email: string, who: Someone) => Promise<unknown>

let networks = 0
function newNetwork(): string {
  networks += 1
  return `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`
}

/** A program asks from a network of its own. */
function ask(path: string, payload: object) {
  return app.inject({ method: 'POST', url: `/auth/v1${path}`, headers: VERSION, payload, remoteAddress: newNetwork() })
}

const names = { firstName: 'Some', lastName: 'One' }

async function joinByProgram(email: string, { password }: Someone) {
  const claims = { aud: CLIENT, sub: `${password} ${email}`, email, email_verified: false, name: password }
  const idToken = await provider.sign(`${provider.base}/keycloak`, claims)
  return ask('/token?grant_type=id_token', { provider: 'keycloak', id_token: idToken })
}

async function joinByPage(email: string, { at, password }: Someone) {
  provider.state.person = { sub: `${password} ${email}`, email, email_verified: false, name: password }
  const begun = await at.send({ url: '/auth/v1/authorize?provider=keycloak&redirect_to=http%3A%2F%2Flocalhost%3A3000%2Fdashboard' })
  const back = new URL((await fetch(begun.headers.location ?? '', { redirect: 'manual' })).headers.get('location') ?? '')
  return at.send({ url: back.pathname + back.search })
}

const onPage: Act = (email, { at, password }) =>
  at.post('/login?mode=sign-up', { form: 'sign-up', ...names, email, password, confirmPassword: password })
const byProgram: Act = async (email, { password }) => {
  expect((await ask('/signup', { email, password, data: { first_name: 'Some' } })).statusCode).toBe(200)
}

/** The acts that anyone can do with an address. */
const acts: Record<string, Act> = {
  'signs up on the page': onPage,
  'signs up by a program': byProgram,
  'resends on the page': (email, { at }) => at.post('/login/confirm', { email }),
  'resends by a program': (email) => ask('/resend', { type: 'signup', email }),
  'wants a code on the page': (email, { at }) => at.post('/login/code', { email }),
  'wants a code by a program': (email) => ask('/otp', { email }),
  'recovers on the page': (email, { at }) => at.post('/login/forgot-password', { email }),
  'recovers by a program': (email) => ask('/recover', { email }),
  'joins by a provider on the page': joinByPage,
  'joins by a provider with a program': joinByProgram,
}

/** Those acts, and the acts that others do for the person. */
const forPerson: Record<string, Act> = {
  ...acts,
  'is invited': (email) => directory.inviteUser(email, 'customer', {}).catch(() => undefined),
  'is created by an administrator': (email) => admin('POST', '/admin/users', { email }),
}

const types: Record<string, { page: string; type: string }> = {
  'confirm-address': { page: '/login/confirm', type: 'signup' },
  'sign-in': { page: '/login/link', type: 'email' },
  'reset-password': { page: '/login/new-password', type: 'recovery' },
  'existing-account': { page: '/login/new-password', type: 'recovery' },
  invite: { page: '/login/new-password', type: 'invite' },
}

type Email = { kind: string; link: string; code: string }
type Way = (email: string, mail: Email, at: Browser) => Promise<unknown>

/** Whenever a page asks for a password, the person chooses one there. */
async function chooseWhereAsked(at: Browser, location: string | undefined) {
  if (!location?.startsWith('/login/new-password')) return
  const link = new URLSearchParams(location.split('?')[1]).get('token_hash') ?? ''
  await at.post(location, { token_hash: link, password: CHOSEN, confirmPassword: CHOSEN })
}

const byLinkOnPage: Way = async (_email, { kind, link }, at) => {
  const { page = '', type = '' } = types[kind] ?? {}
  const url = `${page}?token_hash=${link}&type=${type}`
  if (page === '/login/new-password') return chooseWhereAsked(at, url)
  return chooseWhereAsked(at, (await at.post(url, { token_hash: link })).headers.location)
}

/** How the person uses an email of their mailbox. */
const ways: Record<string, Way> = {
  'the link on the page': byLinkOnPage,
  'the code on the page': async (email, { code }, at) =>
    chooseWhereAsked(at, (await at.post('/login/code', { form: 'code', email, code })).headers.location),
  'the link by a program': (_email, { kind, link }) => ask('/verify', { type: types[kind]?.type, token_hash: link }),
  'the code by a program': (email, { kind, code }) => ask('/verify', { type: types[kind]?.type, email, token: code }),
}

const settled = () =>
  eventually(async () => {
    const left = await db.selectFrom('jobs').select('id').where('kind', '=', 'account-letter').where('doneAt', 'is', null).execute()
    expect(left).toEqual([])
  })

const opens = async (email: string, password: string) => {
  const reply = await ask('/token?grant_type=password', { email, password })
  return reply.statusCode === 200
}

/** An installation without an owner. */
async function startEmpty() {
  await db.updateTable('installation').set({ ownerId: null }).execute()
  await db.deleteFrom('jobs').execute()
  await db.deleteFrom('users').execute()
}

let followed = 0

/** Both people act in turn. Then the person follows one of the emails. Returns the addresses where the stranger got in. */
function play(turns: [act: Act, isPerson: boolean][], way: Way, which: number, email = someEmail()) {
  const [person, stranger] = [
    { at: newBrowser(), password: MINE },
    { at: newBrowser(), password: THEIRS },
  ]
  const steps = turns.map(
    ([act, isPerson]) =>
      async () =>
        act(email, isPerson ? person : stranger),
  )
  const finish = async () => {
    const mail = (await emailsTo(email)).at(which)
    if (mail) {
      followed += 1
      await way(email, { kind: mail.kind, ...mail.data }, person.at)
    }
    const isIn = (await opens(email, THEIRS)) || (await stranger.at.send({ url: '/dashboard' })).statusCode === 200
    const joined = await db
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'identities.userId')
      .where('users.email', '=', email)
      .where('identities.providerId', '=', `${THEIRS} ${email}`)
      .select('identities.id')
      .execute()
    return isIn || joined.length > 0
  }
  return { steps, finish }
}

/** Games of one table run side by side, turn by turn: emails are written by jobs. */
async function playAll(games: { name: string; game: ReturnType<typeof play> }[]) {
  await forgetLimits()
  for (let turn = 0; turn < 3; turn += 1) {
    for (const { game } of games) await game.steps[turn]?.()
    await settled()
  }
  const lost: string[] = []
  for (const { name, game } of games) if (await game.finish()) lost.push(name)
  return lost
}

const orders: Record<string, (theirs: Act, mine: Act) => [Act, boolean][]> = {
  'the stranger first': (theirs, mine) => [
    [theirs, false],
    [mine, true],
  ],
  'the person first': (theirs, mine) => [
    [mine, true],
    [theirs, false],
  ],
  'the stranger before and after': (theirs, mine) => [
    [theirs, false],
    [mine, true],
    [theirs, false],
  ],
}

const table = Object.entries(acts)
  .flatMap(([theirs, act]) => Object.keys(orders).map((order) => ({ theirs, act, order })))
  .map((row, place) => Object.assign(row, { place }))

/** Each way for the oldest and the newest email. */
const uses = Object.entries(ways).flatMap(([wayName, way]) => [0, -1].map((which) => ({ wayName, way, which })))

/**
 * The uses for one act of the stranger, one order and one act of the person: all eight at full length, 2,880 games. Else one of them, so that every
 * act and every order meets every use.
 */
function usesFor(place: number) {
  return byLength([place % uses.length], [...uses.keys()]).flatMap((at) => uses[at] ?? [])
}

test.each(table)(
  'a stranger who $theirs gets nothing, whatever the person does and follows: $order',
  async ({ act, order, place }) => {
    const games = Object.entries(forPerson).flatMap(([mine, own], at) =>
      usesFor(place + at).map(({ wayName, way, which }) => ({
        name: `${mine}, ${wayName} of email ${which}`,
        game: play(orders[order]?.(act, own) ?? [], way, which),
      })),
    )
    // Each look at a mailbox reads all of them.
    await db.deleteFrom('jobs').execute()
    const before = followed
    expect(await playAll(games)).toEqual([])
    expect(followed - before).toBeGreaterThan(games.length / 2)
  },
  600_000,
)

test('the same holds for the owner’s address, and nobody but its person becomes the owner', async () => {
  const someWays = inTurn(Object.entries(ways), 2)
  for (const [theirs, act] of Object.entries(acts))
    for (const [wayName, way] of someWays()) {
      await startEmpty()
      const turns: [Act, boolean][] = [
        [act, false],
        [onPage, true],
      ]
      const game = play(turns, way, 0, OWNER)
      expect([theirs, wayName, await playAll([{ name: theirs, game }])]).toEqual([theirs, wayName, []])
    }
}, 600_000)

test('a program’s sign-up by the owner’s address installs no password, even if it is the only one', async () => {
  await startEmpty()
  for (const [wayName, way] of Object.entries(ways)) {
    const game = play([[byProgram, false]], way, 0, OWNER)
    expect([wayName, await playAll([{ name: wayName, game }])]).toEqual([wayName, []])
    await startEmpty()
  }
})

test('a person who signs up and follows their own email in the same browser has the password that they typed', async () => {
  const email = someEmail()
  const turns: [Act, boolean][] = [
    [byProgram, false],
    [onPage, true],
  ]
  const game = play(turns, byLinkOnPage, -1, email)
  expect(await playAll([{ name: email, game }])).toEqual([])
  expect(await opens(email, MINE)).toBe(true)
})
