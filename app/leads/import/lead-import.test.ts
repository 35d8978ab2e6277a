import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { makeContact, signIn } from '#test/factories.ts'
import { matchColumns } from './lead-import.ts'

const app = await startEndpoints()
const staff = await signIn('staff', { email: 'grace@example.com' })
beforeEach(async () => {
  await db.deleteFrom('contacts').execute()
  await db.deleteFrom('people').execute()
  await db.deleteFrom('leadBatches').execute()
  await db.deleteFrom('jobs').execute()
  await forgetAllEvents()
})

type Headers = Record<string, string>
const post = async (url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
const importText = async (text: string, more: object = {}, dry = false) =>
  post(`/api/leads/import?dry=${dry}`, { text, title: 'crm.csv', ...more })
const leads = async () => (await app.inject({ url: '/api/leads?sort=name', headers: staff.headers })).json().leads
const actions = async () => (await db.selectFrom('auditEvents').select('action').orderBy('id').execute()).map(({ action }) => action)

const file = [
  'First Name,Last Name,Email Address,Company Name,Deal Amount,Deal Stage,Contact Owner,Labels,Notes,Create Date,Favorite Color',
  'Ada,Lovelace,ada@analytical.example,Analytical,"$2,500.50",qualified,GRACE@example.com,"vip, eu",Called **twice**,2026-01-02,green',
  'Bob,Neighbour,bob@shop.example,,,,,,,,',
  'No,Address,not an address,,,,,,,,',
  'Bad,Stage,bad@stage.example,,,Dreaming,,,,,',
].join('\r\n')

describe('happy', () => {
  test('columns are matched by the heads of common exports', () => {
    expect(matchColumns(['First Name', 'e-mail', 'Phone Number', 'Deal Amount', 'Favorite Color', 'Email Address'])).toEqual([
      'firstName',
      'email',
      'phone',
      'value',
      null,
      null,
    ])
  })

  test('a dry run says what becomes of each row and stores nothing', async () => {
    const report = (await importText(file, {}, true)).json()
    expect(report).toMatchObject({ counts: { new: 2, known: 0, skipped: 0, refused: 2 }, importId: null })
    expect(report.columns).toEqual([
      'firstName',
      'lastName',
      'email',
      'company',
      'value',
      'stage',
      'owner',
      'tags',
      'note',
      'createdAt',
      null,
    ])
    expect(report.problems.map(({ line, reason }: { line: number; reason: string }) => [line, reason])).toEqual([
      [4, 'The email address is missing or wrong.'],
      [5, 'There is no stage called Dreaming.'],
    ])
    expect(await leads()).toEqual([])
    expect(await actions()).toEqual([])
  })

  test('good rows become leads with their facts, notes and dates; no clock runs and no email leaves', async () => {
    const report = (await importText(file)).json()
    expect(report.importId).toEqual(expect.any(String))
    expect(await leads()).toMatchObject([
      {
        name: 'Ada Lovelace',
        email: 'ada@analytical.example',
        company: 'Analytical',
        valueCents: 250_050,
        stageId: 3,
        ownerId: staff.user.id,
        tags: ['vip', 'eu'],
        form: 'import',
        createdAt: '2026-01-02T00:00:00.000Z',
        answeredAt: '2026-01-02T00:00:00.000Z',
      },
      { name: 'Bob Neighbour', company: 'shop.example', valueCents: null, stageId: 1, ownerId: null },
    ])
    const [{ reference }] = await leads()
    const { entries } = (await app.inject({ url: `/api/leads/${reference}/timeline`, headers: staff.headers })).json()
    expect(new Set(entries.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['imported', 'note_added', 'received']))
    expect(entries.find(({ note }: { note: object | null }) => note)).toMatchObject({
      note: { html: '<p>Called <strong>twice</strong></p>' },
    })
    expect(await db.selectFrom('jobs').selectAll().where('kind', '=', 'letter').execute()).toEqual([])
    expect(await actions()).toEqual(['leads_imported'])
  })

  test('known addresses are recognised: skipped, or added to their person', async () => {
    const known = await makeContact({ email: 'ada@analytical.example' })
    expect((await importText(file, {}, true)).json().counts).toEqual({ new: 1, known: 0, skipped: 1, refused: 2 })
    expect((await importText(file, { known: 'add' })).json().counts).toEqual({ new: 1, known: 1, skipped: 0, refused: 2 })
    const rows = await db.selectFrom('contacts').select('personId').where('email', '=', 'ada@analytical.example').execute()
    expect(rows).toEqual([{ personId: known.personId }, { personId: known.personId }])
    const twice = 'email\nx@x.example\nX@X.example'
    expect((await importText(twice, {}, true)).json().counts).toEqual({ new: 1, known: 0, skipped: 1, refused: 0 })
    expect((await importText(twice, { known: 'add' })).json().counts).toEqual({ new: 1, known: 1, skipped: 0, refused: 0 })
  })

  test('columns chosen by hand win, and semicolons and tabs separate as well', async () => {
    const given = { columns: ['company', 'email'] }
    expect((await importText('a;b\nAcme;ada@acme.example', given)).json().counts.new).toBe(1)
    expect(await leads()).toMatchObject([{ company: 'Acme', email: 'ada@acme.example', name: 'ada@acme.example' }])
    expect((await importText('name\temail\nBob\tbob@b.example')).json().counts.new).toBe(1)
  })

  test('an undo removes the leads and their people, but none that were worked on since', async () => {
    const kept = await makeContact({ email: 'kept@example.com', name: 'Zoe' })
    const { importId } = (await importText(file)).json()
    const [first] = await leads()
    await post(`/api/leads/${first.reference}/notes`, { text: 'Worked on.' })
    expect((await post(`/api/leads/imports/${importId}/undo`)).json()).toEqual({ removed: 1, left: 1 })
    expect((await leads()).map(({ email }: { email: string }) => email)).toEqual([first.email, kept.email])
    expect(await db.selectFrom('people').select('email').where('email', '=', 'bob@shop.example').execute()).toEqual([])
    expect((await post(`/api/leads/imports/${importId}/undo`)).statusCode).toBe(409)
    const list = (await app.inject({ url: '/api/leads/imports', headers: staff.headers })).json()
    expect(list).toMatchObject([{ id: importId, title: 'crm.csv', leads: 2, isUndoable: false, undoneAt: expect.any(String) }])
  })

  test('more rows than one statement takes are stored in one import', async () => {
    const rows = Array.from({ length: 620 }, (_, at) => `Lead ${at},lead${at}@shop${at % 50}.example`)
    expect((await importText(['name,email', ...rows].join('\n'))).json().counts.new).toBe(620)
    expect((await app.inject({ url: '/api/leads/counts', headers: staff.headers })).json().total).toBe(620)
  })
})

describe('error', () => {
  test('while many notes are imported, the server answers others', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => `note${at}@a.example,"**Called** twice, [a list](https://x.example)"`)
    const importing = { isDone: false, turns: 0 }
    const reply = importText(['email,note', ...rows].join('\n')).finally(() => (importing.isDone = true))
    for (; !importing.isDone; importing.turns += 1) await new Promise((resolve) => setImmediate(resolve))
    expect((await reply).json().counts.new).toBe(400)
    expect(importing.turns).toBeGreaterThan(400)
  })

  test('a text that is cut in an emoji, and a note that takes too long to render, stop no other row', async () => {
    const rows = [
      `cut@a.example,${'x'.repeat(39)}🦊,${'y'.repeat(199)}🦊,fine`,
      `half@a.example,\uD83E,\uD83E,\uD83E`,
      `deep@a.example,,,"${'> '.repeat(40)}x"`,
      'last@a.example,,,**bold**',
    ]
    const text = ['email,tags,next step,note', ...rows].join('\n')
    const dry = (await importText(text, {}, true)).json()
    expect(dry.counts).toEqual({ new: 3, known: 0, skipped: 0, refused: 1 })
    expect(dry.problems).toMatchObject([{ line: 4, outcome: 'refused', reason: 'Quotes, lists or brackets are nested too deeply.' }])
    expect((await importText(text)).json().counts).toEqual(dry.counts)
    const stored = await db.selectFrom('leads').select(['tags', 'nextStep']).orderBy('contactId').execute()
    expect(stored[0]).toEqual({ tags: ['x'.repeat(39)], nextStep: 'y'.repeat(199) })
    expect(stored).toHaveLength(3)
  })

  test('files that are no CSV, have no addresses or no good row are refused, and nothing is stored', async () => {
    expect((await importText('')).statusCode).toBe(422)
    expect((await importText('email\n"unclosed')).json().errors.text).toContain('not valid CSV')
    expect((await importText('name\nAda')).json().code).toBe('nothing_to_import')
    expect((await importText('email\nnobody')).json().code).toBe('nothing_to_import')
    expect((await importText('email\na@b.example', { columns: ['password'] })).statusCode).toBe(422)
    expect(await leads()).toEqual([])
  })
})

describe('security', () => {
  const endpoints: ['GET' | 'POST', string, object | undefined, number][] = [
    ['POST', '/api/leads/import?dry=true', { text: 'email\na@b.example', title: 'a.csv' }, 200],
    ['GET', '/api/leads/imports', undefined, 200],
    ['POST', `/api/leads/imports/${newId()}/undo`, undefined, 409],
  ]
  test.each(endpoints)('%s %s is for staff only', async (method, url, payload, done) => {
    const [customer, owner] = [await signIn('customer'), await signIn('owner')]
    const call = async (headers: Headers) => (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode
    expect(await Promise.all([{}, customer.headers, staff.headers, owner.headers].map(call))).toEqual([401, 403, done, done])
  })
})
